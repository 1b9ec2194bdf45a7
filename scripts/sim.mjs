/** `npm run sim`: runs simulated histories. Arguments after `--` choose the seeds. Needs neither a build nor a browser. */
import { runProgram } from './lib/run.mjs';
import { ensureTestPrograms } from './lib/test-programs.mjs';
import { ensureInstalled } from './setup.mjs';

await ensureInstalled();
await ensureTestPrograms();
process.exitCode = (await runProgram('tests/simulation/main.ts')) ? 0 : 1;
