/**
 * PostgreSQL snapshots as text, `xmin:xmax:running,…`. All transactions below `xmin` had ended, `xmax` had not been
 * assigned, and the listed ones were still running. A row that a snapshot does not see was committed later, however low
 * its transaction id is. https://www.postgresql.org/docs/current/functions-info.html#FUNCTIONS-INFO-SNAPSHOT
 */
export type Snapshot = string;

/** Sees nothing. */
export const emptySnapshot: Snapshot = '1:1:';

const form = /^\d{1,18}:\d{1,18}:(\d{1,18}(,\d{1,18})*)?$/;

/** Returns true for text that PostgreSQL accepts as a snapshot; anything else would fail the query. */
export function isSnapshot(value: unknown): value is Snapshot {
  if (typeof value !== 'string' || !form.test(value)) return false;
  const { xmin, xmax, running } = partsOf(value);
  const ascending = running.every((xid, index) => xid >= (running[index - 1] ?? xmin) && xid < xmax);
  return xmin > 0n && xmin <= xmax && ascending;
}

function partsOf(snapshot: Snapshot) {
  const [xmin = '', xmax = '', running = ''] = snapshot.split(':');
  return { xmin: BigInt(xmin), xmax: BigInt(xmax), running: running === '' ? [] : running.split(',').map(BigInt) };
}

/**
 * Returns the snapshot cut off after the last transaction that wrote a row. A higher id belongs to a transaction that
 * was rolled back or wrote nothing, and PostgreSQL may not have it on disk: after a crash another transaction gets the
 * same id, and the reader has not seen that one.
 *
 * @param last the snapshot sees no row of a later transaction
 */
export function endingWith(last: string, snapshot: Snapshot): Snapshot {
  const { xmin, xmax, running } = partsOf(snapshot);
  const end = BigInt(last) + 1n;
  if (end >= xmax) return snapshot;
  return `${end < xmin ? end : xmin}:${end}:${running.filter((xid) => xid < end).join()}`;
}

/** Returns the transaction id below which the snapshot sees everything. */
export const lowestUnseen = (snapshot: Snapshot): string => String(partsOf(snapshot).xmin);

/** Returns true when the snapshot is newer than `of`, of the same database. */
export const isAhead = (snapshot: Snapshot, of: Snapshot): boolean => partsOf(snapshot).xmax > partsOf(of).xmax;
