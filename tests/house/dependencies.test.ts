/** The dependency checks of `npm run check`. The audit reports have the form that npm 11 prints. */
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, test } from 'vitest';
import { projectRoot } from '#server/project-root.ts';

interface AuditOutcome {
  outcome: boolean | 'unavailable';
  lines: string[];
}
interface Exception {
  advisory?: string;
  reason?: string;
  until?: string;
}
type EvaluateAudit = (output: string, exceptions: Exception[], today: string) => AuditOutcome;
type PinProblems = (wanted: object, lock: object) => string[];

// The scripts are plain JavaScript without types, because they run before any package is installed.
const importScript = (name: string) =>
  import(pathToFileURL(path.join(projectRoot, 'scripts/lib', name)).href) as Promise<unknown>;
const { evaluateAudit } = (await importScript('advisories.mjs')) as { evaluateAudit: EvaluateAudit };
const { pinProblems } = (await importScript('pinned.mjs')) as { pinProblems: PinProblems };

const today = '2026-05-20';
const advisory = (id: string, name: string, severity: string) => ({
  source: 1,
  name,
  dependency: name,
  title: `A vulnerability in ${name}`,
  url: `https://github.com/advisories/${id}`,
  severity,
  cwe: [],
  range: '<9.0.0',
});
const found = JSON.stringify({
  auditReportVersion: 2,
  vulnerabilities: {
    pg: {
      name: 'pg',
      severity: 'high',
      isDirect: true,
      via: [advisory('GHSA-aaaa-bbbb-cccc', 'pg', 'high'), 'pg-pool'],
      effects: ['drizzle-orm'],
    },
    'drizzle-orm': { name: 'drizzle-orm', severity: 'high', isDirect: true, via: ['pg'], effects: [] },
    ms: {
      name: 'ms',
      severity: 'moderate',
      isDirect: false,
      via: [advisory('GHSA-dddd-eeee-ffff', 'ms', 'moderate')],
      effects: ['debug'],
    },
  },
  metadata: { vulnerabilities: { moderate: 1, high: 2, total: 3 } },
});
const nothing = JSON.stringify({
  auditReportVersion: 2,
  vulnerabilities: {},
  metadata: { vulnerabilities: { total: 0 } },
});
const reason = 'Only its command line is affected, and nothing here runs it.';

describe('the check for advisories', () => {
  test('reports each high or critical advisory once, and ignores lower severities', () => {
    expect(evaluateAudit(found, [], today)).toEqual({
      outcome: false,
      lines: ['high: pg: A vulnerability in pg (GHSA-aaaa-bbbb-cccc)'],
    });
    expect(evaluateAudit(found.replaceAll('"high"', '"critical"'), [], today).outcome).toBe(false);
    expect(evaluateAudit(found.replaceAll('"high"', '"moderate"'), [], today)).toEqual({ outcome: true, lines: [] });
    expect(evaluateAudit(nothing, [], today)).toEqual({ outcome: true, lines: [] });
  });

  test('accepts an exception until its last day, prints it, and reports an exception that nothing needs', () => {
    const exception = { advisory: 'GHSA-aaaa-bbbb-cccc', reason, until: today };
    expect(evaluateAudit(found, [exception], today)).toEqual({
      outcome: true,
      lines: [`excepted until ${today}: GHSA-aaaa-bbbb-cccc: ${reason}`],
    });
    const later = evaluateAudit(found, [exception], '2026-05-21');
    expect(later.outcome).toBe(false);
    expect(later.lines).toEqual([
      `high: pg: A vulnerability in pg (GHSA-aaaa-bbbb-cccc); its exception expired on ${today}`,
    ]);
    expect(evaluateAudit(found, [{ ...exception, advisory: 'GHSA-dddd-eeee-ffff' }], today).outcome).toBe(false);
    expect(evaluateAudit(nothing, [exception], today)).toEqual({
      outcome: true,
      lines: ['The exception for GHSA-aaaa-bbbb-cccc is no longer needed. Remove it.'],
    });
  });

  test.each([
    { advisory: 'GHSA-aaaa-bbbb-cccc', until: today },
    { advisory: 'GHSA-aaaa-bbbb-cccc', reason: ' ', until: today },
    { advisory: 'GHSA-aaaa-bbbb-cccc', reason },
    { reason, until: today },
  ])('fails when an exception lacks its advisory, reason or last day: %j', (exception) =>
    expect(evaluateAudit(nothing, [exception], today).outcome).toBe(false),
  );

  test('is unavailable when the registry does not answer', () => {
    const refused = {
      message: '405 Method Not Allowed - POST https://mirror/-/npm/v1/security/advisories/bulk',
      method: 'POST',
      statusCode: 405,
      body: '',
      error: { summary: '', detail: '' },
    };
    const unreachable = {
      message: 'request to https://mirror/-/npm/v1/security/advisories/bulk failed, reason: connect ECONNREFUSED',
      error: { summary: '', detail: '' },
    };
    for (const reply of [refused, unreachable]) {
      const { outcome, lines } = evaluateAudit(JSON.stringify(reply), [], today);
      expect(outcome).toBe('unavailable');
      expect(lines[0]).toMatch(/^unavailable: /);
      expect(lines[0]).toContain(reply.message);
    }
  });

  test.each([
    '',
    'npm: command not found',
    '{"error":{"code":"ENOLOCK","summary":"This command requires an existing lockfile."}}',
    '{"auditReportVersion":3,"vulnerabilities":{}}',
    '{}',
  ])('fails when npm prints no report: %s', (output) => expect(evaluateAudit(output, [], today).outcome).toBe(false));
});

describe('the check for exact versions', () => {
  const wanted = {
    dependencies: { pg: '8.23.1' },
    devDependencies: { vitest: '4.1.12' },
    overrides: { 'light-my-request': '6.6.0' },
  };
  const packages = {
    'node_modules/pg': { version: '8.23.1', integrity: 'sha512-a' },
    'node_modules/vitest': { version: '4.1.12', integrity: 'sha512-b' },
  };
  const lock = { packages: { '': wanted, ...packages } };
  const withPg = (entry: object) => ({ packages: { ...lock.packages, 'node_modules/pg': entry } });

  test('accepts package.json and a lock file that name the same exact versions', () => {
    expect(pinProblems(wanted, lock)).toEqual([]);
    expect(
      pinProblems(
        wanted,
        withPg({ version: '8.23.1', integrity: 'sha512-a', resolved: 'https://registry.npmjs.org/pg/-/pg-8.23.1.tgz' }),
      ),
    ).toEqual([]);
  });

  test.each(['^8.23.1', '~8.23.1', '8', '*', 'latest', '>=8.23.1', 'github:brianc/node-postgres', '8.x'])(
    'refuses the version range %s',
    (pg) => {
      expect(pinProblems({ ...wanted, dependencies: { pg } }, lock)).toEqual([
        `package.json: pg is ${pg}, which is not an exact version`,
      ]);
      expect(pinProblems({ ...wanted, overrides: { pg } }, lock)).toEqual([
        `package.json: the override of pg is ${pg}, which is not an exact version`,
      ]);
    },
  );

  test('refuses a lock file with another version, a missing package or a package that package.json lacks', () => {
    expect(pinProblems({ ...wanted, dependencies: { pg: '8.24.0' } }, lock)).toEqual([
      'package-lock.json: pg is 8.23.1, not 8.24.0',
    ]);
    expect(pinProblems(wanted, withPg({ version: '8.22.0', integrity: 'sha512-a' }))).toEqual([
      'package-lock.json: pg is 8.22.0, not 8.23.1',
    ]);
    expect(pinProblems({ ...wanted, dependencies: { ...wanted.dependencies, zod: '4.6.7' } }, lock)).toEqual([
      'package-lock.json: zod is missing, not 4.6.7',
    ]);
    expect(pinProblems({ ...wanted, dependencies: {} }, lock)).toEqual([
      'package-lock.json: pg is no longer in package.json',
    ]);
  });

  test('refuses a package without a checksum, or from another source than the registry', () => {
    expect(pinProblems(wanted, withPg({ version: '8.23.1' }))).toEqual([
      'package-lock.json: node_modules/pg has no checksum',
    ]);
    const elsewhere = 'https://codeload.example.test/pg.tgz';
    expect(pinProblems(wanted, withPg({ version: '8.23.1', integrity: 'sha512-a', resolved: elsewhere }))).toEqual([
      `package-lock.json: node_modules/pg comes from ${elsewhere}`,
    ]);
  });
});
