import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { gzipSync } from 'node:zlib';
import { root } from './lib/run.mjs';

const dist = join(root, 'dist/app');

/**
 * What a first visit loads, in kB of gzipped JavaScript: the entry, the route's chunk, and all that these import without
 * being asked. Budgets hold that. `with` names what the page fetches besides as soon as it runs — its frame and the words
 * of one language — which is printed beside it, so that the whole is never out of sight.
 */
const budgets = [
  { name: 'sign-in', maxKb: 155, routes: ['src/features/sign-in/'], with: ['locales/en.json'] },
  {
    name: 'counter',
    maxKb: 185,
    routes: ['src/features/counter/'],
    with: ['src/app/shells/role-shell.tsx', 'src/app/shells/signed-in.tsx', 'locales/en.json'],
  },
  { name: 'worker', maxKb: 40 },
];

function filesOf({ routes, with: besides }) {
  if (!routes) return { page: ['sw.js'], whole: ['sw.js'] };
  const manifest = JSON.parse(readFileSync(join(dist, '.vite/manifest.json'), 'utf8'));
  const entry = Object.keys(manifest).filter((key) => manifest[key].isEntry);
  const offered = [...staticImports(manifest, entry)].flatMap((key) => manifest[key].dynamicImports ?? []);
  const chunks = routes.flatMap((folder) => offered.filter((key) => key.startsWith(folder)));
  if (chunks.length === 0) throw new Error(`The entry loads no chunk of ${routes.join(', ')}.`);
  const files = (keys) => [...staticImports(manifest, keys)].map((key) => manifest[key].file);
  const extra = besides.filter((key) => manifest[key]);
  return { page: files([...entry, ...chunks]), whole: files([...entry, ...chunks, ...extra]) };
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
  const kept = budgets.map((budget) => {
    const { name, maxKb } = budget;
    try {
      const { page, whole } = filesOf(budget);
      const kb = gzippedKb(page);
      const withFrame = whole.length > page.length ? `  (${gzippedKb(whole).toFixed(1)} kB with frame and language)` : '';
      console.log(`${name.padEnd(8)} ${kb.toFixed(1).padStart(6)} kB of ${maxKb} kB${withFrame}${kb > maxKb ? '  TOO LARGE' : ''}`);
      return kb <= maxKb;
    } catch (error) {
      console.log(`${name.padEnd(8)} cannot be measured: ${error.message}`);
      return false;
    }
  });
  return kept.every(Boolean);
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) process.exitCode = checkBundleSizes() ? 0 : 1;
