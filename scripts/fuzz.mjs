/** `npm run fuzz`: sends odd requests and forged operations to the built server. Arguments after `--` choose the seed. */
import { runProgram } from './lib/run.mjs';
import { ensureBuilt, ensureInstalled } from './setup.mjs';

await ensureInstalled();
await ensureBuilt();
process.exitCode = (await runProgram('tests/fuzz/main.ts')) ? 0 : 1;
