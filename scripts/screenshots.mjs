/** `npm run screenshots`: takes screenshots of the product built from the current source. Arguments after `--` choose pictures. */
import { ensureChromium } from './lib/chromium.mjs';
import { runProgram } from './lib/run.mjs';
import { ensureTestPrograms } from './lib/test-programs.mjs';
import { ensureBuilt, ensureInstalled } from './setup.mjs';

await ensureInstalled();
// The clinic of the invoice has a certificate of its own.
await ensureTestPrograms();
await ensureBuilt();
const env = { CHROMIUM_PATH: await ensureChromium() };
process.exitCode = (await runProgram('tests/screenshots/main.ts', { env })) ? 0 : 1;
