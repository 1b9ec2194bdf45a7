/**
 * Known vulnerabilities in production dependencies. npm asks the registry about every production dependency in the lock file.
 * Advisories of severity high or critical fail the check, except those listed in scripts/audit-exceptions.json. An exception
 * names an advisory, gives the reason why it does no harm here, and has a last day. A registry without an audit service makes
 * the outcome unavailable.
 */
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root, unavailable } from './run.mjs';

const failingSeverities = ['high', 'critical'];

/** States `offline` explicitly: with `offline=true` in the user's npm settings, npm would ask nobody and find nothing. */
const options = [
  'audit',
  '--omit=dev',
  '--json',
  '--offline=false',
  '--fetch-retries=1',
  '--fetch-timeout=20000',
  '--loglevel=silent',
];

/** Returns true, false, or `unavailable` if the registry has no audit service. Prints the reason. */
export async function checkAdvisories() {
  const exceptions = JSON.parse(readFileSync(join(root, 'scripts/audit-exceptions.json'), 'utf8'));
  const { outcome, lines } = evaluateAudit(await runAudit(), exceptions, new Date().toISOString().slice(0, 10));
  for (const line of lines) console.log(line);
  return outcome;
}

/** Returns npm's output. The exit code tells nothing: it is 1 for a vulnerability and for a failed request alike. */
function runAudit() {
  const npm = process.env.npm_execpath;
  const [program, args] = npm ? [process.execPath, [npm, ...options]] : ['npm', options];
  return new Promise((resolve) =>
    execFile(program, args, { cwd: root, maxBuffer: 64 * 1024 * 1024 }, (_error, output) => resolve(output)),
  );
}

/**
 * Decides on the output of `npm audit --json`.
 *
 * @param exceptions `{ advisory, reason, until }`: an id such as GHSA-…, a sentence, the last day on which the exception holds
 * @param today YYYY-MM-DD
 */
export function evaluateAudit(output, exceptions, today) {
  const invalid = exceptions.filter(
    ({ advisory, reason, until }) => !advisory || !reason?.trim() || !/^\d{4}-\d{2}-\d{2}$/.test(until ?? ''),
  );
  if (invalid.length > 0)
    return failed(
      invalid.map((one) => `An exception needs an advisory, a reason and a last day: ${JSON.stringify(one)}`),
    );
  const report = parsed(output);
  // npm prints a message instead of a report only if the registry did not answer.
  if (typeof report?.message === 'string' && report.auditReportVersion === undefined) {
    return {
      outcome: unavailable,
      lines: [`unavailable: the registry did not answer the audit request (${report.message}).`],
    };
  }
  if (report?.auditReportVersion !== 2)
    return failed([`npm audit failed: ${JSON.stringify(report?.error ?? output.slice(0, 500))}`]);

  const advisories = severeAdvisories(report);
  const open = advisories.filter(
    ({ advisory }) => !exceptions.some((one) => one.advisory === advisory && one.until >= today),
  );
  const lines = open.map(({ advisory, severity, name, title }) => {
    const expired = exceptions.find((one) => one.advisory === advisory);
    return `${severity}: ${name}: ${title} (${advisory})${expired ? `; its exception expired on ${expired.until}` : ''}`;
  });
  for (const { advisory, reason, until } of exceptions) {
    if (!advisories.some((one) => one.advisory === advisory))
      lines.push(`The exception for ${advisory} is no longer needed. Remove it.`);
    else if (until >= today) lines.push(`excepted until ${until}: ${advisory}: ${reason}`);
  }
  return open.length > 0 ? failed(lines) : { outcome: true, lines };
}

const failed = (lines) => ({ outcome: false, lines });

function parsed(output) {
  try {
    return JSON.parse(output);
  } catch {
    return undefined;
  }
}

/** Returns each failing advisory once, under the package that has the vulnerability. Packages that only depend on it are left out. */
function severeAdvisories({ vulnerabilities }) {
  const causes = Object.values(vulnerabilities).flatMap(({ via }) => via.filter((cause) => typeof cause === 'object'));
  const byUrl = new Map(
    causes.map(({ url, source, severity, name, title }) => [
      url,
      { advisory: /GHSA-[\w-]+/.exec(url)?.[0] ?? String(source), severity, name, title },
    ]),
  );
  return [...byUrl.values()].filter(({ severity }) => failingSeverities.includes(severity));
}
