import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { gzipSync } from 'node:zlib';
import { root } from './lib/run.mjs';

const dist = join(root, 'dist/app');

/**
 * Budgets in kB of gzipped JavaScript, for the first visit to a page: the entry, the chunks of the route, and their static
 * imports. `with` names what the page loads besides as soon as it runs: its shell and the texts of one language. The report
 * prints that sum as well, but no budget limits it.
 */
const budgets = [
  { name: 'sign-in', maxKb: 165, routes: ['src/features/sign-in/'], with: ['locales/en.json'] },
  {
    name: 'counter',
    maxKb: 200,
    routes: ['src/features/counter/'],
    with: ['src/app/shells/role-shell.tsx', 'locales/en.json'],
  },
  { name: 'worker', maxKb: 48 },
];

function filesOf({ routes, with: besides }) {
  if (!routes) return { page: ['sw.js'], whole: ['sw.js'] };
  const manifest = JSON.parse(readFileSync(join(dist, '.vite/manifest.json'), 'utf8'));
  const entry = Object.keys(manifest).filter((key) => manifest[key].isEntry);
  const offered = [...staticImports(manifest, entry)].flatMap((key) => manifest[key].dynamicImports ?? []);
  const chunks = routes.flatMap((folder) => offered.filter((key) => key.startsWith(folder)));
  if (chunks.length === 0) throw new Error(`The entry imports no chunk of ${routes.join(', ')}.`);
  const files = (keys) => [...staticImports(manifest, keys)].map((key) => manifest[key].file);
  const missing = besides.find((key) => !manifest[key]);
  if (missing) throw new Error(`No chunk begins with ${missing}.`);
  return { page: files([...entry, ...chunks]), whole: files([...entry, ...chunks, ...besides]) };
}

/** Returns the chunks with all their static imports, as keys of the manifest. */
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

/** Prints each size beside its budget. Returns whether all budgets are met. */
export function checkBundleSizes() {
  const kept = budgets.map((budget) => {
    const { name, maxKb } = budget;
    try {
      const { page, whole } = filesOf(budget);
      const kb = gzippedKb(page);
      const withShell =
        whole.length > page.length ? `  (${gzippedKb(whole).toFixed(1)} kB with shell and language)` : '';
      console.log(
        `${name.padEnd(8)} ${kb.toFixed(1).padStart(6)} kB of ${maxKb} kB${withShell}${kb > maxKb ? '  TOO LARGE' : ''}`,
      );
      return kb <= maxKb;
    } catch (error) {
      console.log(`${name.padEnd(8)} cannot be measured: ${error.message}`);
      return false;
    }
  });
  return kept.every(Boolean);
}

/** Origins below this many kB are summed up as "others". */
const namedFromKb = 0.5;

/**
 * Prints what each page is made of. The gzipped size of a file is divided among its packages and folders by the length of
 * their code before compression, so the parts add up to the page and each is close to its true cost.
 */
export function reportOrigins() {
  const origins = JSON.parse(readFileSync(join(dist, '.vite/origins.json'), 'utf8'));
  for (const budget of budgets.filter(({ routes }) => routes)) {
    const weights = new Map();
    for (const file of new Set(filesOf(budget).whole)) {
      const lengths = Object.entries(origins[file] ?? {});
      const all = lengths.reduce((sum, [, length]) => sum + length, 0);
      for (const [origin, length] of lengths)
        weights.set(origin, (weights.get(origin) ?? 0) + (gzippedKb([file]) * length) / all);
    }
    const parts = [...weights].sort(([, a], [, b]) => b - a);
    const small = parts.filter(([, kb]) => kb < namedFromKb);
    const smallKb = small.reduce((sum, [, kb]) => sum + kb, 0);
    console.log(`\n${budget.name}, with shell and language`);
    for (const [origin, kb] of parts) if (kb >= namedFromKb) console.log(`${kb.toFixed(1).padStart(8)} kB  ${origin}`);
    console.log(`${smallKb.toFixed(1).padStart(8)} kB  ${small.length} others`);
  }
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) {
  process.exitCode = checkBundleSizes() ? 0 : 1;
  if (process.argv.includes('origins')) reportOrigins();
}
