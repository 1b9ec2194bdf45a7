/** `npm run test:kill`: the long run of the kill tests, of which `npm test` runs a few rounds. KILL_ROUNDS sets the number of rounds. */
import { ensureChromium } from './lib/chromium.mjs';
import { runNode } from './lib/run.mjs';
import { ensureBuilt, ensureInstalled } from './setup.mjs';

await ensureInstalled();
await ensureBuilt();
const env = { CHROMIUM_PATH: await ensureChromium(), KILL_ROUNDS: process.env.KILL_ROUNDS ?? '100' };
const succeeded = await runNode('node_modules/@playwright/test/cli.js', ['test', '--project=kill'], { env });
process.exitCode = succeeded ? 0 : 1;
