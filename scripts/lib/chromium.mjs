import { install, isProgram, onPath } from './system.mjs';

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
  const program = findChromium() ?? ((await install('chromium')) && findChromium());
  if (program) return program;
  throw new Error(
    'No Chromium was found. Install one (Debian: apt-get install chromium), or set CHROMIUM_PATH to its program.',
  );
}

function findChromium() {
  return names.map(onPath).find(Boolean) ?? macPrograms.find(isProgram);
}
