import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { root } from './run.mjs';

const everywhere = ['package-lock.json', '.tsconfig.base.json', 'domain', 'locales', 'scripts/build.mjs'];

/** The build targets: the file that exists once the target is built, and the sources that the target depends on. */
export const targets = {
  app: {
    product: 'dist/app/index.html',
    sources: [...everywhere, 'index.html', 'vite.config.ts', 'scripts/build', 'public', 'src', 'sw'],
  },
  server: { product: 'dist/server/main.js', sources: [...everywhere, 'server'] },
};

/** Compares contents, not times: a checkout changes the times of files. */
export function isStale(target) {
  const { product, sources } = targets[target];
  return !existsSync(join(root, product)) || readFingerprint(target) !== fingerprint(sources);
}

/** Call this before a build: a file saved during the build then makes the target stale. */
export function fingerprintOf(target) {
  return fingerprint(targets[target].sources);
}

export function recordFingerprint(target, value) {
  const file = fingerprintFile(target);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, value);
}

function readFingerprint(target) {
  const file = fingerprintFile(target);
  return existsSync(file) ? readFileSync(file, 'utf8') : undefined;
}

function fingerprintFile(target) {
  return join(root, 'dist', `${target}.fingerprint`);
}

function fingerprint(paths) {
  const hash = createHash('sha256');
  for (const path of paths.flatMap(filesUnder).sort()) {
    hash
      .update(`${path}\0`)
      .update(readFileSync(join(root, path)))
      .update('\0');
  }
  return hash.digest('hex');
}

function filesUnder(path) {
  const found = statSync(join(root, path), { throwIfNoEntry: false });
  if (!found) return [];
  if (!found.isDirectory()) return [path];
  return readdirSync(join(root, path)).flatMap((name) => filesUnder(`${path}/${name}`));
}
