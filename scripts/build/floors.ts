/** The oldest engines that run the app: `browserslist` in `package.json`, as the bundler writes targets. */
import { readFileSync } from 'node:fs';
import path from 'node:path';

const manifest = path.resolve(import.meta.dirname, '../../package.json');

/** Engines by their names in `browserslist`. An iOS version is the version of its Safari. */
const engines: Record<string, string> = {
  Safari: 'safari',
  iOS: 'ios',
  Chrome: 'chrome',
  Edge: 'edge',
  Firefox: 'firefox',
};

export const floors: readonly { name: string; version: string }[] = (
  JSON.parse(readFileSync(manifest, 'utf8')) as { browserslist: string[] }
).browserslist.map((line) => {
  const [name = '', relation, version = ''] = line.split(' ');
  if (!engines[name] || relation !== '>=') throw new Error(`The floor "${line}" is not of the form "Chrome >= 111".`);
  return { name, version };
});

export const buildTarget: string[] = floors.map(({ name, version }) => `${engines[name]}${version}`);
