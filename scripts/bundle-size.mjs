import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { gzipSync } from 'node:zlib';
import { root } from './lib/run.mjs';

const dist = join(root, 'dist/app');

/**
 * Budgets in kB of gzipped JavaScript, for the first visit to a page: the entry, which shows the sign-in page by itself, the
 * chunk of the page, and their static imports. `with` names what the page loads besides as soon as it runs: its frame and the
 * texts of one language. The report prints that sum as well, but no budget limits it. A chunk has the name by which its key
 * in the manifest begins.
 */
const budgets = [
  { name: 'sign-in', maxKb: 165, chunks: [], with: ['locales/en.json'] },
  { name: 'counter', maxKb: 200, chunks: ['_counter-'], with: ['_frame-', 'locales/en.json'] },
  { name: 'worker', maxKb: 50 },
];

function filesOf({ chunks, with: besides }) {
  if (!chunks) return { page: ['sw.js'], whole: ['sw.js'] };
  const manifest = JSON.parse(readFileSync(join(dist, '.vite/manifest.json'), 'utf8'));
  const entry = Object.keys(manifest).filter((key) => manifest[key].isEntry);
  const offered = [...staticImports(manifest, entry)].flatMap((key) => manifest[key].dynamicImports ?? []);
  const find = (start) => {
    const key = offered.find((name) => name.startsWith(start));
    if (!key) throw new Error(`The entry imports no chunk ${start}.`);
    return key;
  };
  const files = (keys) => [...staticImports(manifest, keys)].flatMap((key) => formsOf(manifest[key].file));
  const page = [...entry, ...chunks.map(find)];
  return { page: files(page), whole: files([...page, ...besides.map(find)]) };
}

/** Returns the file of a chunk, and its classic script if it has one (`scripts/build/classic-scripts.ts`). */
const formsOf = (file) => [file, file.replace(/\.js$/, '.classic.js')].filter((form) => existsSync(join(dist, form)));

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
        whole.length > page.length ? `  (${gzippedKb(whole).toFixed(1)} kB with frame and language)` : '';
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
  for (const budget of budgets.filter(({ chunks }) => chunks)) {
    const weights = new Map();
    for (const file of new Set(filesOf(budget).whole)) {
      const lengths = Object.entries(origins[file.replace('.classic.', '.')] ?? {});
      const all = lengths.reduce((sum, [, length]) => sum + length, 0);
      for (const [origin, length] of lengths)
        weights.set(origin, (weights.get(origin) ?? 0) + (gzippedKb([file]) * length) / all);
    }
    const parts = [...weights].sort(([, a], [, b]) => b - a);
    const small = parts.filter(([, kb]) => kb < namedFromKb);
    const smallKb = small.reduce((sum, [, kb]) => sum + kb, 0);
    console.log(`\n${budget.name}, with frame and language`);
    for (const [origin, kb] of parts) if (kb >= namedFromKb) console.log(`${kb.toFixed(1).padStart(8)} kB  ${origin}`);
    console.log(`${smallKb.toFixed(1).padStart(8)} kB  ${small.length} others`);
  }
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) {
  process.exitCode = checkBundleSizes() ? 0 : 1;
  if (process.argv.includes('origins')) reportOrigins();
}
