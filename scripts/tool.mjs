import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { root } from './lib/run.mjs';
import { ensureBuilt, ensureInstalled } from './setup.mjs';

await ensureInstalled();
await ensureBuilt();

process.chdir(root);
process.setSourceMapsEnabled(true);
await import(pathToFileURL(join(root, 'dist/server/tools.js')).href);
