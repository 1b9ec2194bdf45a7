import { howToInstall, install, isProgram, onPath } from './system.mjs';

const names = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];
const macPrograms = [
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
];

/** Returns the path of a browser for the tests: CHROMIUM_PATH, else an installed browser. Installs one if the system allows that. */
export async function ensureChromium() {
  const named = process.env.CHROMIUM_PATH;
  if (named) {
    if (isProgram(named)) return named;
    throw new Error(`CHROMIUM_PATH is ${named}, which is not an executable file.`);
  }
  const program = findChromium() ?? ((await install('chromium')) && findChromium());
  if (program) return program;
  throw new Error(
    `The browser tests need a Chromium. Install one (Debian, ${howToInstall(['chromium'])}), or set CHROMIUM_PATH to its program.`,
  );
}

function findChromium() {
  return names.map(onPath).find(Boolean) ?? macPrograms.find(isProgram);
}
