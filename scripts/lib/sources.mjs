import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { root } from './run.mjs';

const everywhere = ['package-lock.json', '.tsconfig.base.json', 'domain', 'locales', 'scripts/build.mjs'];

/** What is built, the file whose presence says that it is, and what it is built from. */
export const targets = {
  app: {
    product: 'dist/app/index.html',
    sources: [...everywhere, 'index.html', 'vite.config.ts', 'public', 'src', 'sw'],
  },
  server: { product: 'dist/server/main.js', sources: [...everywhere, 'server'] },
};

/** Stale is what was built from other contents than those that stand there now; times say nothing after a checkout. */
export function isStale(target) {
  const { product, sources } = targets[target];
  return !existsSync(join(root, product)) || readFingerprint(target) !== fingerprint(sources);
}

/** The fingerprint is taken before a build, so that what is saved during it counts as new. */
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
