/** `npm run sim`: simulated histories, which need no build and no browser; the words behind `--` choose the seeds. */
import { runProgram } from './lib/run.mjs';
import { ensureInstalled } from './setup.mjs';

await ensureInstalled();
process.exitCode = (await runProgram('tests/simulation/main.ts')) ? 0 : 1;
