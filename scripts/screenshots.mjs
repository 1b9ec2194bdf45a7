/** `npm run screenshots`: takes screenshots of the product built from the current source. Arguments after `--` choose pictures. */
import { ensureChromium } from './lib/chromium.mjs';
import { runProgram } from './lib/run.mjs';
import { ensureBuilt, ensureInstalled } from './setup.mjs';

await ensureInstalled();
await ensureBuilt();
const env = { CHROMIUM_PATH: await ensureChromium() };
process.exitCode = (await runProgram('tests/screenshots/main.ts', { env })) ? 0 : 1;
