/** Has the registered screens rewrite operations before they are decided. */
import type { AnyOperation } from '#domain/protocol/operations.ts';
import type { Sql } from '../db/sql.ts';
import { isReadable } from './incoming.ts';
import type { Incoming } from './incoming.ts';
import type { OperationRegistry } from './registry.ts';

export async function screenBatch(
  sql: Sql,
  { registered: { screens } }: OperationRegistry,
  clinicId: number,
  incoming: readonly Incoming[],
): Promise<readonly Incoming[]> {
  let screened = incoming;
  for (const screen of screens) {
    const arrivals = screened.map((one) => ({ operation: one.operation, isReadable: isReadable(one) }));
    const rewritings = await screen.screen(sql, clinicId, arrivals);
    screened = screened.map((one, index) => {
      const rewriting = rewritings[index];
      if (!rewriting) return one;
      const operation = { ...one.operation, payload: rewriting.payload } as AnyOperation;
      return { ...one, operation, receipt: rewriting.receipt };
    });
  }
  return screened;
}
