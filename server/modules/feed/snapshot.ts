/**
 * PostgreSQL's snapshots as text, `xmin:xmax:running,…`: below `xmin` every transaction had ended, none had reached `xmax`,
 * and those named between were running. A row that a snapshot does not see was committed after it, however low its
 * transaction's number is. https://www.postgresql.org/docs/current/functions-info.html#FUNCTIONS-INFO-SNAPSHOT
 */
export type Snapshot = string;

/** Of a reader that has seen nothing. */
export const emptySnapshot: Snapshot = '1:1:';

const form = /^\d{1,18}:\d{1,18}:(\d{1,18}(,\d{1,18})*)?$/;

/** Whether the database would take it, which throws at what it does not. */
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
 * The same view without the numbers above the last transaction that left a row in it. Such a number belongs to one that was undone
 * or wrote nothing, which PostgreSQL need not have on disk: after a crash it goes to another, and that one has not been seen.
 *
 * @param last no row that the snapshot sees was written by a later one
 */
export function endingWith(last: string, snapshot: Snapshot): Snapshot {
  const { xmin, xmax, running } = partsOf(snapshot);
  const end = BigInt(last) + 1n;
  if (end >= xmax) return snapshot;
  return `${end < xmin ? end : xmin}:${end}:${running.filter((xid) => xid < end).join()}`;
}

/** Below it, the snapshot sees everything. */
export const lowestUnseen = (snapshot: Snapshot): string => String(partsOf(snapshot).xmin);

/** Whether it was taken after the other one, of the same database. */
export const isAhead = (snapshot: Snapshot, of: Snapshot): boolean => partsOf(snapshot).xmax > partsOf(of).xmax;
