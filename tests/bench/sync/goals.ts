/** Goals of the sync engine, compared with other libraries and with the limits of the machine. */
import type { Delay } from './testbed.ts';

/** Factor by which the engine is faster than each library, by network delay in milliseconds. */
export const timesFaster: Record<string, Record<Delay, number>> = {
  'Workbox background sync': { 0: 40, 50: 100 },
  'RxDB push replication': { 0: 3, 50: 2 },
  'PouchDB to express-pouchdb': { 0: 3, 50: 5 },
};

/** Speed of the engine as a share of the speed at which batches can be transferred and inserted. */
export const shareOfBatchedLimit = 0.25;

/** Duration of a commit at the counter as a multiple of a bare strict transaction, at p99. */
export const timesRawCommit = 2;
