/** Prints the size of the pages, by package and folder, and counts the files of an installation. */
import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { projectRoot } from '#server/project-root.ts';
import type { Figure } from './figures.ts';
import { goals } from './goals.ts';

const script = path.join(projectRoot, 'scripts/bundle-size.mjs');

export async function benchBundle(): Promise<Figure[]> {
  // The program fails when a budget is exceeded; its output says which.
  const { stdout } = await promisify(execFile)(process.execPath, [script, 'origins']).catch(
    (failed: { stdout: string }) => failed,
  );
  console.log(`\nBundle, gzip\n${stdout}`);
  const { signIn, counter, worker, files } = goals.bundle;
  const sizes = { 'sign-in': signIn, counter, worker };
  return [
    ...Object.entries(sizes).map(([page, goal]) => {
      const [, kb, maxKb] = new RegExp(`^${page} +([\\d.]+) kB of (\\d+) kB`, 'm').exec(stdout)!;
      return { goal, values: [Number(kb) / Number(maxKb)], note: `${kb} kB of ${maxKb} kB` };
    }),
    { goal: files, values: [await countInstalled()] },
  ];
}

/** Counts the entries that the build has injected into the worker. */
async function countInstalled(): Promise<number> {
  const worker = await readFile(path.join(projectRoot, 'dist/app/sw.js'), 'utf8');
  return [...worker.matchAll(/\{"revision":(?:null|"\w+"),"url":"/g)].length;
}
