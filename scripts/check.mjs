import { checks, runChecks } from './lib/checks.mjs';
import { ensureInstalled } from './setup.mjs';

await ensureInstalled();
const failed = await runChecks(checks());
process.exitCode = failed.length === 0 ? 0 : 1;
