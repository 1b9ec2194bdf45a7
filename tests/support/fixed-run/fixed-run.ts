/**
 * What an ordinary test run takes neither from a clock nor from chance. Each run begins at the same time and draws from the same seed, so
 * that it has the same outcome on every day. `npm run test:long` chooses both by its seed.
 */
import { pathToFileURL } from 'node:url';
import path from 'node:path';

/** A Wednesday morning in the clinic's time zone, in a month without a change of the hour. */
const usualStart = '2027-03-10T09:30:00Z';
const usualSeed = 4711;

const offsetVariable = 'TEST_CLOCK_OFFSET_MS';

/** The seed of everything that tests draw. TEST_SEED chooses another one. */
export const runSeed = Number(process.env['TEST_SEED'] ?? usualSeed);

/** What the run's clock is ahead of the real one. */
export const clockOffsetMs = (): number => Number(process.env[offsetVariable] ?? 0);

/** Returns the variables that give the run's clock to a process which is started with few others. */
export const clockVariables = (): NodeJS.ProcessEnv => ({
  [offsetVariable]: process.env[offsetVariable],
  NODE_OPTIONS: process.env['NODE_OPTIONS'],
});

/**
 * Fixes the clock of all processes that this one starts. TEST_CLOCK chooses another start, an ISO time, or `now` for the real clock.
 * The configurations of Vitest and Playwright call this.
 */
export function fixRun(): void {
  // A worker that reads the configuration again keeps the offset of its run.
  if (process.env[offsetVariable] !== undefined) return;
  const start = process.env['TEST_CLOCK'] ?? usualStart;
  if (start === 'now') return;
  const startMs = Date.parse(start);
  if (Number.isNaN(startMs)) throw new Error(`TEST_CLOCK is ${start}, which is neither an ISO time nor "now".`);
  process.env[offsetVariable] = String(startMs - Date.now());
  const preload = pathToFileURL(path.join(import.meta.dirname, 'preload.mjs')).href;
  process.env['NODE_OPTIONS'] = `${process.env['NODE_OPTIONS'] ?? ''} --import=${preload}`.trim();
}
