import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root, run, runNode, succeedOrExit } from './lib/run.mjs';
import { isStale, targets } from './lib/sources.mjs';

/**
 * Installs the packages of package-lock.json unless they are installed. Uses `npm install`, because `npm ci` fails if the registry
 * lacks the optional packages of other systems. Runs no install scripts: the project needs none, and foreign code gets no chance
 * to run at that point.
 */
export async function ensureInstalled() {
  if (isInstalled()) return;
  console.log('Installing packages …');
  const options = [
    '--no-save',
    '--ignore-scripts',
    '--include=dev',
    '--include=optional',
    '--no-audit',
    '--no-fund',
    '--loglevel=error',
  ];
  const npm = process.env.npm_execpath;
  await succeedOrExit(
    'The installation',
    npm ? runNode(npm, ['install', ...options]) : run('npm', ['install', ...options]),
  );
}

function isInstalled() {
  const record = join(root, 'node_modules', '.package-lock.json');
  if (!existsSync(record)) return false;
  const installed = readPackages(record);
  const wanted = readPackages(join(root, 'package-lock.json'));
  return Object.entries(wanted).every(([path, { version, optional }]) => {
    if (path === '') return true;
    // npm never installs the optional packages of other systems.
    return installed[path] ? installed[path].version === version : optional === true;
  });
}

function readPackages(lockFile) {
  return JSON.parse(readFileSync(lockFile, 'utf8')).packages;
}

/** Builds the stale targets in a separate process, so that the server's process does not keep the memory of the build. */
export async function ensureBuilt() {
  const stale = Object.keys(targets).filter(isStale);
  if (stale.length === 0) return;
  console.log(`Building ${stale.join(' and ')} …`);
  await succeedOrExit('The build', runNode(join(root, 'scripts', 'build.mjs'), stale));
}
