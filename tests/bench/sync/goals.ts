/** What the sync engine is to reach, by milliseconds of delay: how many times faster than a rival, and which share of a limit. */
import type { Delay } from './testbed.ts';

export const timesFaster: Record<string, Record<Delay, number>> = {
  'Workbox background sync': { 0: 40, 50: 100 },
  'RxDB push replication': { 0: 3, 50: 2 },
  'PouchDB to express-pouchdb': { 0: 3, 50: 5 },
};

export const shareOfBatchedLimit = 0.25;

/** A commit at the counter against a bare strict transaction, at p99. */
export const timesRawCommit = 2;
