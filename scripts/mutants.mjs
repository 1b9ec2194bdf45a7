/** `npm run mutants`: tells which small changes of the code no test beside it notices. Arguments after `--` choose folders. */
import { runProgram } from './lib/run.mjs';
import { ensureTestPrograms } from './lib/test-programs.mjs';
import { ensureInstalled } from './setup.mjs';

await ensureInstalled();
await ensureTestPrograms();
process.exitCode = (await runProgram('tests/mutants/main.ts')) ? 0 : 1;
