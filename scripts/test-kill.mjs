/** `npm run test:kill`: many rounds of the kill tests, of which `npm test` runs a few. KILL_ROUNDS sets the number of rounds. */
import { runPlaywright } from './lib/playwright.mjs';
import { ensureBuilt, ensureInstalled } from './setup.mjs';

await ensureInstalled();
await ensureBuilt();
const env = { KILL_ROUNDS: process.env.KILL_ROUNDS ?? '100' };
process.exitCode = (await runPlaywright(['kill', 'kill-long'], { env })) ? 0 : 1;
