import { idempotencyHeader } from '#domain/protocol/sync.ts';
import { CallFailed } from '../api/client.ts';
import type { CallFault } from '../api/client.ts';
import { newIdempotencyKey } from '../api/idempotency-key.ts';

/** Sends one request about a row. It passes the headers to `callServer`. */
export type RowCall<Row> = (row: Row, headers: Record<string, string>) => Promise<unknown>;

export interface CallsOfRows<Row> {
  done: Row[];
  failed: { row: Row; fault: CallFault }[];
}

/** The requests under way at a time: the server takes the catalogue's one after the other anyway. */
const fewAtOnce = 4;

/** The idempotency key of each row, kept for as long as its call may be repeated. */
export type RowKeys<Row> = Map<Row, string>;

/**
 * Calls the server for each row, and says which calls failed. After an outage the remaining rows fail without a call. A row
 * that has a key is called under it again, so that a call whose reply was lost is applied once.
 *
 * @param atOnce 1 where a row must be done before the next one
 */
export async function callEach<Row>(
  rows: readonly Row[],
  call: RowCall<Row>,
  { keys = new Map(), atOnce = fewAtOnce }: { keys?: RowKeys<Row>; atOnce?: number } = {},
): Promise<CallsOfRows<Row>> {
  const faults = new Map<Row, CallFault>();
  const waiting = [...rows];
  let outage: CallFault | null = null;
  async function work() {
    for (let row = waiting.shift(); row !== undefined; row = waiting.shift()) {
      if (outage) {
        faults.set(row, outage);
        continue;
      }
      try {
        const key = keys.get(row) ?? newIdempotencyKey();
        keys.set(row, key);
        await call(row, { [idempotencyHeader]: key });
      } catch (thrown) {
        const fault: CallFault = thrown instanceof CallFailed ? thrown.fault : { code: 'UNEXPECTED', message: '' };
        if (fault.code === 'NETWORK') outage = fault;
        faults.set(row, fault);
      }
    }
  }
  await Promise.all(Array.from({ length: atOnce }, work));
  return {
    done: rows.filter((row) => !faults.has(row)),
    failed: rows.flatMap((row) => (faults.has(row) ? { row, fault: faults.get(row)! } : [])),
  };
}
