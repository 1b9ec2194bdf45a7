/** Prints the size of the pages, by package and folder. */
import { spawnSync } from 'node:child_process';
import path from 'node:path';

const script = path.resolve(import.meta.dirname, '../../scripts/bundle-size.mjs');

export async function benchBundle(): Promise<void> {
  console.log('\nBundle, gzip');
  const { status } = spawnSync(process.execPath, [script, 'origins'], { stdio: 'inherit' });
  if (status !== 0) console.log('MISSED   a budget is exceeded or no build exists');
}
