import { spawnSync } from 'node:child_process';
import { run, unavailable } from './run.mjs';
import { howToInstall, install, onPath } from './system.mjs';

/** The Debian packages that each engine needs besides Chromium, with what tells whether a package is there. */
const packages = {
  firefox: { 'firefox-esr': () => onPath('firefox-esr') },
  webkit: {
    'webkit2gtk-driver': () => onPath('WebKitWebDriver'),
    'python3-gi': () => canImport('import gi'),
    'gir1.2-webkit2-4.1': () => canImport("import gi; gi.require_version('WebKit2', '4.1')"),
    xvfb: () => onPath('Xvfb'),
    imagemagick: () => onPath('import'),
  },
};

/** Debian's own Python, because another one in the PATH does not have Debian's modules. */
const canImport = (code) => spawnSync('/usr/bin/python3', ['-c', code]).status === 0;

const missing = (engine) => Object.entries(packages[engine]).flatMap(([name, isThere]) => (isThere() ? [] : name));

/** The engines besides Chromium that the tests know. */
export const engineNames = Object.keys(packages);

/**
 * Uses the built app in these engines. Returns true, false, or `unavailable` if none of them can run here.
 *
 * @param engines of `engineNames`
 * @param args of `tests/engines/main.ts`
 */
export async function testEngines(engines, args, { env } = {}) {
  const installed = await installedOf(engines);
  if (installed.length === 0) return unavailable;
  return run(process.execPath, ['--import', 'tsx', 'tests/engines/main.ts', ...installed, ...args], { env });
}

/** Installs what the engines lack if the system allows that. Prints which ones are unavailable, and returns the others. */
async function installedOf(engines) {
  const lacking = engines.flatMap(missing);
  if (lacking.length > 0) await install(...lacking);
  return engines.filter((engine) => {
    const names = missing(engine);
    if (names.length > 0) console.log(`UNAVAILABLE: ${engine} was not tested; ${howToInstall(names)}`);
    return names.length === 0;
  });
}
