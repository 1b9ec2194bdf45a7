import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { gzipSync } from 'node:zlib';
import { root } from './lib/run.mjs';

const dist = join(root, 'dist/app');

/** What a first visit downloads, in kB of gzipped JavaScript. A page is the entry and the route chunk in its feature's folder. */
const budgets = [
  { name: 'sign-in', maxKb: 155, files: () => pageFiles('src/features/sign-in/') },
  { name: 'counter', maxKb: 185, files: () => pageFiles('src/features/counter/') },
  { name: 'worker', maxKb: 40, files: () => ['sw.js'] },
];

function pageFiles(folder) {
  const manifest = JSON.parse(readFileSync(join(dist, '.vite/manifest.json'), 'utf8'));
  const entry = staticImports(
    manifest,
    Object.keys(manifest).filter((key) => manifest[key].isEntry),
  );
  const routes = [...entry].flatMap((key) => manifest[key].dynamicImports ?? []).filter((key) => key.startsWith(folder));
  if (routes.length === 0) throw new Error(`The entry loads no chunk of ${folder}.`);
  return [...staticImports(manifest, [...entry, ...routes])].map((key) => manifest[key].file);
}

/** The chunks and all that they import without being asked. */
function staticImports(manifest, keys, found = new Set()) {
  for (const key of keys) {
    if (found.has(key)) continue;
    found.add(key);
    staticImports(manifest, manifest[key].imports ?? [], found);
  }
  return found;
}

function gzippedKb(files) {
  const scripts = [...new Set(files)].filter((file) => file.endsWith('.js'));
  return scripts.reduce((sum, file) => sum + gzipSync(readFileSync(join(dist, file)), { level: 9 }).length, 0) / 1000;
}

/** Prints each size beside its budget; true if all are kept. */
export function checkBundleSizes() {
  const kept = budgets.map(({ name, maxKb, files }) => {
    try {
      const kb = gzippedKb(files());
      console.log(`${name.padEnd(8)} ${kb.toFixed(1).padStart(6)} kB of ${maxKb} kB${kb > maxKb ? '  TOO LARGE' : ''}`);
      return kb <= maxKb;
    } catch (error) {
      console.log(`${name.padEnd(8)} cannot be measured: ${error.message}`);
      return false;
    }
  });
  return kept.every(Boolean);
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) process.exitCode = checkBundleSizes() ? 0 : 1;
