/** Nightly backups and the removal of the oldest. Several processes on one database take one between them. */
import { dayMs, hourMs } from '#domain/durations.ts';
import { mkdir, readdir, rm } from 'node:fs/promises';
import path from 'node:path';
import { businessDay } from '#domain/business-day.ts';
import type { Config } from '#server/config.ts';
import { onConnection } from '../pool.ts';
import { startIntervalJob } from '#server/interval-job.ts';
import type { IntervalJob } from '#server/interval-job.ts';
import { takeBackup } from './take.ts';

/** The hour in the clinic's time zone. Nobody sells then, and the day has ended. */
const fromHour = 3;
const nightsKept = 14;
const longestGapMs = nightsKept * dayMs;
const lookEveryMs = 10 * 60_000;

export interface NightlyOptions {
  connectionString: string;
  folder: string;
  passphrase: string | null;
  timeZone: string;
  nowMs: number;
}

const nameOf = (day: string): string => `dental-counter-${day}.backup`;
/** Returns the day before whose morning a night ends. */
const nightOf = (nowMs: number, timeZone: string): string => businessDay(nowMs - fromHour * hourMs, timeZone);
const namePattern = /^dental-counter-\d{4}-\d{2}-\d{2}\.backup$/;

/**
 * Takes the backup of the night unless it exists.
 *
 * @returns the path of the written file; null when none was due
 */
export async function backUpIfDue({
  connectionString,
  folder,
  passphrase,
  timeZone,
  nowMs,
}: NightlyOptions): Promise<string | null> {
  const file = path.join(folder, nameOf(nightOf(nowMs, timeZone)));
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const isStanding = async () => (await nights(folder)).includes(path.basename(file));
  if (await isStanding()) return null;
  const isTaken = await alone(connectionString, async () => {
    // Another process may have taken the backup since.
    if (await isStanding()) return false;
    await takeBackup(connectionString, { file, passphrase, nowMs });
    return true;
  });
  if (!isTaken) return null;
  // Removes old backups only after the new one is complete, and only files named like ours.
  for (const old of outlived(await nights(folder), path.basename(file))) await rm(path.join(folder, old));
  return file;
}

/**
 * Returns the backups to remove. Those of nights to come were taken by a clock that was wrong: they stay, and take no place of
 * others. Nothing is removed in the first night after a long silence, in which the clock may be the wrong one.
 */
export function outlived(names: readonly string[], tonight: string): string[] {
  const past = names.filter((name) => name <= tonight);
  const before = past.findLast((name) => name < tonight);
  const isUsual = before !== undefined && dayIn(tonight) - dayIn(before) <= longestGapMs;
  return isUsual ? past.slice(0, -nightsKept) : [];
}

const dayIn = (name: string): number => Date.parse(/\d{4}-\d{2}-\d{2}/.exec(name)![0]);

/** Returns the backups, oldest first. */
async function nights(folder: string): Promise<string[]> {
  return (await readdir(folder)).filter((name) => namePattern.test(name)).toSorted();
}

/** @returns the result of the work; false when another process does it */
async function alone(connectionString: string, work: () => Promise<boolean>): Promise<boolean> {
  return onConnection(connectionString, async (client) => {
    const { rows } = await client.query<{ free: boolean }>(
      `select pg_try_advisory_lock(hashtextextended('dental-counter.nightly', 0)) as free`,
    );
    return rows[0]!.free && (await work());
  });
}

export interface NightlyPorts {
  config: Config;
  connectionString: string;
  clock: () => number;
}

/** Checks every ten minutes, so a machine that was off at night catches up. */
export function startNightlyBackups(
  { config, connectionString, clock }: NightlyPorts,
  onFault: (error: unknown, night: string) => void,
): IntervalJob {
  const { backupDir: folder, backupPassphrase: passphrase, timeZone } = config;
  const look = async (): Promise<void> => {
    if (folder !== null) await backUpIfDue({ connectionString, folder, passphrase, timeZone, nowMs: clock() });
  };
  return startIntervalJob(look, {
    everyMs: lookEveryMs,
    firstAfterMs: lookEveryMs,
    onFault: (error) => onFault(error, nightOf(clock(), timeZone)),
  });
}
