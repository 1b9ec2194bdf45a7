import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { mustRun, root, run, runNode } from './lib/run.mjs';
import { isStale, targets } from './lib/sources.mjs';

/**
 * Installs what package-lock.json says, unless that is what stands there. Not `npm ci`, which fails where the registry at hand
 * lacks the optional packages of other systems. Install scripts are not run: nothing here needs them, and no package gets to
 * run code before ours does.
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
  await mustRun('The installation', npm ? runNode(npm, ['install', ...options]) : run('npm', ['install', ...options]));
}

function isInstalled() {
  const record = join(root, 'node_modules', '.package-lock.json');
  if (!existsSync(record)) return false;
  const installed = readPackages(record);
  const wanted = readPackages(join(root, 'package-lock.json'));
  return Object.entries(wanted).every(([path, { version, optional }]) => {
    if (path === '') return true;
    // Optional packages for other systems are never installed.
    return installed[path] ? installed[path].version === version : optional === true;
  });
}

function readPackages(lockFile) {
  return JSON.parse(readFileSync(lockFile, 'utf8')).packages;
}

/** Builds what is stale, in a process of its own whose memory is gone when the server runs. */
export async function ensureBuilt() {
  const stale = Object.keys(targets).filter(isStale);
  if (stale.length === 0) return;
  console.log(`Building ${stale.join(' and ')} …`);
  await mustRun('The build', runNode(join(root, 'scripts', 'build.mjs'), stale));
}
