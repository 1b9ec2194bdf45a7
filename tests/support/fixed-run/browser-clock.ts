/** The clock of the run in the browser: in each page, and in the service worker of the build that the tests serve. */
import { readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { BrowserContext } from '@playwright/test';
import { clockOffsetMs } from './fixed-run.ts';
import { moveClock } from './move-clock.mjs';

/** Moves the clock of the pages that the context opens from now on. */
export async function movePageClocks(context: BrowserContext): Promise<void> {
  if (clockOffsetMs() !== 0) await context.addInitScript(moveClock, clockOffsetMs());
}

/** Moves the clock of a build's service worker, which no script of a test can reach before it starts. */
export async function moveWorkerClock(build: string): Promise<void> {
  if (clockOffsetMs() === 0) return;
  const worker = path.join(build, 'dist/app/sw.js');
  const script = await readFile(worker, 'utf8');
  await writeFile(worker, `(${moveClock.toString()})(${clockOffsetMs()});\n${script}`);
  for (const packed of ['br', 'gz']) await rm(`${worker}.${packed}`, { force: true });
}
