/**
 * `npm run test:engines`: the built app in Firefox and in WebKit, or in those that the arguments name. tests/engines/main.ts lists
 * the other arguments. An engine that cannot be installed here is unavailable, which is no failure.
 */
import { engineNames, testEngines } from './lib/engines.mjs';
import { ensureBuilt, ensureInstalled } from './setup.mjs';

const args = process.argv.slice(2);
const named = engineNames.filter((name) => args.includes(name));
const others = args.filter((arg) => !engineNames.includes(arg));

await ensureInstalled();
await ensureBuilt();
process.exitCode = (await testEngines(named.length > 0 ? named : engineNames, others)) ? 0 : 1;
