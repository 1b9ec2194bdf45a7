/** How `npm run check` judges what npm says of the packages: with words that npm 11 printed. */
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, test } from 'vitest';
import { projectRoot } from '../../server/project-root.ts';

interface Verdict {
  outcome: boolean | 'not had';
  lines: string[];
}
interface Exception {
  advisory?: string;
  reason?: string;
  until?: string;
}
type Judge = (output: string, exceptions: Exception[], today: string) => Verdict;
type PinProblems = (wanted: object, lock: object) => string[];

// The scripts run before anything is built, so they are plain JavaScript, without types.
const script = (name: string) =>
  import(pathToFileURL(path.join(projectRoot, 'scripts/lib', name)).href) as Promise<unknown>;
const { judgeAudit } = (await script('advisories.mjs')) as { judgeAudit: Judge };
const { pinProblems } = (await script('pinned.mjs')) as { pinProblems: PinProblems };

const today = '2026-05-20';
const advisory = (id: string, name: string, severity: string) => ({
  source: 1,
  name,
  dependency: name,
  title: `A hole in ${name}`,
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
const reason = 'Only its command line is concerned, which nobody starts here.';

describe('advisories', () => {
  test('fails on each of level high once, and not on lesser ones', () => {
    expect(judgeAudit(found, [], today)).toEqual({
      outcome: false,
      lines: ['high: pg: A hole in pg (GHSA-aaaa-bbbb-cccc)'],
    });
    expect(judgeAudit(found.replaceAll('"high"', '"critical"'), [], today).outcome).toBe(false);
    expect(judgeAudit(found.replaceAll('"high"', '"moderate"'), [], today)).toEqual({ outcome: true, lines: [] });
    expect(judgeAudit(nothing, [], today)).toEqual({ outcome: true, lines: [] });
  });

  test('lets a named exception pass until its last day, tells it, and tells when it is not needed', () => {
    const exception = { advisory: 'GHSA-aaaa-bbbb-cccc', reason, until: today };
    expect(judgeAudit(found, [exception], today)).toEqual({
      outcome: true,
      lines: [`excepted until ${today}: GHSA-aaaa-bbbb-cccc: ${reason}`],
    });
    const later = judgeAudit(found, [exception], '2026-05-21');
    expect(later.outcome).toBe(false);
    expect(later.lines).toEqual([`high: pg: A hole in pg (GHSA-aaaa-bbbb-cccc); its exception ended on ${today}`]);
    expect(judgeAudit(found, [{ ...exception, advisory: 'GHSA-dddd-eeee-ffff' }], today).outcome).toBe(false);
    expect(judgeAudit(nothing, [exception], today)).toEqual({
      outcome: true,
      lines: ['The exception for GHSA-aaaa-bbbb-cccc is not needed any more: remove it.'],
    });
  });

  test.each([
    { advisory: 'GHSA-aaaa-bbbb-cccc', until: today },
    { advisory: 'GHSA-aaaa-bbbb-cccc', reason: ' ', until: today },
    { advisory: 'GHSA-aaaa-bbbb-cccc', reason },
    { reason, until: today },
  ])('takes no exception without a name, a reason and an end: %j', (exception) =>
    expect(judgeAudit(nothing, [exception], today).outcome).toBe(false),
  );

  test('says that nothing is known, and does not fail, where the registry gives no answer', () => {
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
      const { outcome, lines } = judgeAudit(JSON.stringify(reply), [], today);
      expect(outcome).toBe('not had');
      expect(lines[0]).toMatch(/^not had: /);
      expect(lines[0]).toContain(reply.message);
    }
  });

  test.each([
    '',
    'npm: command not found',
    '{"error":{"code":"ENOLOCK","summary":"This command requires an existing lockfile."}}',
    '{"auditReportVersion":3,"vulnerabilities":{}}',
    '{}',
  ])('fails where npm did not look at all: %s', (output) => expect(judgeAudit(output, [], today).outcome).toBe(false));
});

describe('exact versions', () => {
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

  test('finds nothing where package.json and the lock name the same exact versions', () => {
    expect(pinProblems(wanted, lock)).toEqual([]);
    expect(
      pinProblems(
        wanted,
        withPg({ version: '8.23.1', integrity: 'sha512-a', resolved: 'https://registry.npmjs.org/pg/-/pg-8.23.1.tgz' }),
      ),
    ).toEqual([]);
  });

  test.each(['^8.23.1', '~8.23.1', '8', '*', 'latest', '>=8.23.1', 'github:brianc/node-postgres', '8.x'])(
    'finds %s, which moves',
    (pg) => {
      expect(pinProblems({ ...wanted, dependencies: { pg } }, lock)).toEqual([
        `package.json: pg is ${pg}, which is no exact version`,
      ]);
      expect(pinProblems({ ...wanted, overrides: { pg } }, lock)).toEqual([
        `package.json: the override of pg is ${pg}, which is no exact version`,
      ]);
    },
  );

  test('finds a lock that says another version, lacks one, or keeps one that nobody asks for', () => {
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
      'package-lock.json: pg is not asked for any more',
    ]);
  });

  test('finds content that nobody vouches for, and another source than the registry', () => {
    expect(pinProblems(wanted, withPg({ version: '8.23.1' }))).toEqual([
      'package-lock.json: nothing vouches for the content of node_modules/pg',
    ]);
    const elsewhere = 'https://codeload.example.test/pg.tgz';
    expect(pinProblems(wanted, withPg({ version: '8.23.1', integrity: 'sha512-a', resolved: elsewhere }))).toEqual([
      `package-lock.json: node_modules/pg comes from ${elsewhere}`,
    ]);
  });
});
