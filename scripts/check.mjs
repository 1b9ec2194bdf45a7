/** `npm run check` runs all checks. The argument `types` or `lint` limits the run to that group. */
import { allChecks, checkGroups, runChecks } from './lib/checks.mjs';
import { ensureInstalled } from './setup.mjs';

const [group] = process.argv.slice(2);
if (group && !Object.hasOwn(checkGroups, group)) {
  console.error(`Unknown group of checks: ${group}. Use one of: ${Object.keys(checkGroups).join(', ')}.`);
  process.exit(1);
}

await ensureInstalled();
const failed = await runChecks(group ? checkGroups[group] : allChecks());
process.exitCode = failed.length === 0 ? 0 : 1;
