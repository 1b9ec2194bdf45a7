/**
 * Known holes in what the product ships: npm asks the registry about every production dependency of the lock file. What is of
 * level high or above fails the check, but for the exceptions of scripts/audit-exceptions.json: each names an advisory, gives
 * the reason why it does no harm here, and ends on a day. Not every registry answers such a question; then nothing is known,
 * and that is what is said.
 */
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { notHad, root } from './run.mjs';

const failing = ['high', 'critical'];

/** Said outright, because a setting of the machine would otherwise find nothing by asking nobody. */
const options = [
  'audit',
  '--omit=dev',
  '--json',
  '--offline=false',
  '--fetch-retries=1',
  '--fetch-timeout=20000',
  '--loglevel=silent',
];

/** True, false, or `notHad` where the registry answers no such question; prints why. */
export async function checkAdvisories() {
  const exceptions = JSON.parse(readFileSync(join(root, 'scripts/audit-exceptions.json'), 'utf8'));
  const { outcome, lines } = judgeAudit(await askNpm(), exceptions, new Date().toISOString().slice(0, 10));
  for (const line of lines) console.log(line);
  return outcome;
}

/** What npm prints. It ends with 1 when it has found something as well as when it could not look. */
function askNpm() {
  const npm = process.env.npm_execpath;
  const [program, args] = npm ? [process.execPath, [npm, ...options]] : ['npm', options];
  return new Promise((resolve) =>
    execFile(program, args, { cwd: root, maxBuffer: 64 * 1024 * 1024 }, (_error, output) => resolve(output)),
  );
}

/**
 * @param output what `npm audit --json` printed
 * @param exceptions `{ advisory, reason, until }`: an id as GHSA-…, a sentence, the last day on which it holds
 * @param today YYYY-MM-DD
 */
export function judgeAudit(output, exceptions, today) {
  const unsound = exceptions.filter(
    ({ advisory, reason, until }) => !advisory || !reason?.trim() || !/^\d{4}-\d{2}-\d{2}$/.test(until ?? ''),
  );
  if (unsound.length > 0)
    return failed(
      unsound.map((one) => `An exception needs an advisory, a reason and a last day: ${JSON.stringify(one)}`),
    );
  const report = parsed(output);
  // npm puts a message in the place of a report only when the registry did not answer.
  if (typeof report?.message === 'string' && report.auditReportVersion === undefined) {
    return {
      outcome: notHad,
      lines: [
        `not had: the registry gives no answer about advisories (${report.message}), so nothing is known of them.`,
      ],
    };
  }
  if (report?.auditReportVersion !== 2)
    return failed([`npm audit did not do its work: ${JSON.stringify(report?.error ?? output.slice(0, 500))}`]);

  const found = findingsOf(report);
  const open = found.filter(
    ({ advisory }) => !exceptions.some((one) => one.advisory === advisory && one.until >= today),
  );
  const lines = open.map(({ advisory, severity, name, title }) => {
    const ended = exceptions.find((one) => one.advisory === advisory);
    return `${severity}: ${name}: ${title} (${advisory})${ended ? `; its exception ended on ${ended.until}` : ''}`;
  });
  for (const { advisory, reason, until } of exceptions) {
    if (!found.some((one) => one.advisory === advisory))
      lines.push(`The exception for ${advisory} is not needed any more: remove it.`);
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

/** Each advisory once, under the package that it is about; packages that are named for depending on that one add nothing. */
function findingsOf({ vulnerabilities }) {
  const advisories = Object.values(vulnerabilities).flatMap(({ via }) =>
    via.filter((cause) => typeof cause === 'object'),
  );
  const known = new Map(
    advisories.map(({ url, source, severity, name, title }) => [
      url,
      { advisory: /GHSA-[\w-]+/.exec(url)?.[0] ?? String(source), severity, name, title },
    ]),
  );
  return [...known.values()].filter(({ severity }) => failing.includes(severity));
}
