import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import { run } from './run.mjs';

const names = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];
const macPrograms = [
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
];

/** The path of a browser for the tests: the one named, else the system's, else one that the system can install. */
export async function ensureChromium() {
  const named = process.env.CHROMIUM_PATH;
  if (named) {
    if (isProgram(named)) return named;
    throw new Error(`CHROMIUM_PATH names ${named}, which is no program.`);
  }
  const found = findChromium();
  if (found) return found;
  if (process.getuid?.() === 0 && onPath('apt-get')) {
    console.log('Installing Chromium for the browser tests …');
    const env = { DEBIAN_FRONTEND: 'noninteractive' };
    const installed =
      (await run('apt-get', ['-qq', 'update'], { env })) &&
      (await run('apt-get', ['-qq', 'install', '-y', '--no-install-recommends', 'chromium'], { env }));
    const program = installed && findChromium();
    if (program) return program;
  }
  throw new Error('No Chromium was found. Install one (Debian: apt-get install chromium), or set CHROMIUM_PATH to its program.');
}

function findChromium() {
  return names.map(onPath).find(Boolean) ?? macPrograms.find(isProgram);
}

function onPath(name) {
  const folders = (process.env.PATH ?? '').split(delimiter).filter(Boolean);
  return folders.map((folder) => join(folder, name)).find(isProgram);
}

function isProgram(path) {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
