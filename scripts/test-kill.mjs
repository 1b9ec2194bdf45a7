/** `npm run test:kill`: the long run of what `npm test` does in short. KILL_ROUNDS says how long. */
import { ensureChromium } from './lib/chromium.mjs';
import { runNode } from './lib/run.mjs';
import { ensureBuilt, ensureInstalled } from './setup.mjs';

await ensureInstalled();
await ensureBuilt();
const env = { CHROMIUM_PATH: await ensureChromium(), KILL_ROUNDS: process.env.KILL_ROUNDS ?? '100' };
const succeeded = await runNode('node_modules/@playwright/test/cli.js', ['test', '--project=kill'], { env });
process.exitCode = succeeded ? 0 : 1;
