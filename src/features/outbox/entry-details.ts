/** A queued operation as people know it: what was done, by whom, on which paper, for how much. */
import { summarizeOperation } from '../../../domain/protocol/operations.ts';
import type { AnyOperation } from '../../../domain/protocol/operations.ts';
import type { ClinicDatabase } from '../../db/database.ts';
import type { OutboxEntry } from '../../db/dependants.ts';
import { userNames } from '../../db/queries/tray.ts';

export interface EntryDetails {
  /** The number on the paper, for stock the item's name, for money moved by hand the reason. */
  subject: string;
  /** Null where no money moved. */
  amountMinor: number | null;
  currency: string;
  /** Who did it; empty when nobody of that number has signed in here lately. */
  actor: string;
}

export type Detailed<T> = T & EntryDetails;
export type DetailedEntry = Detailed<OutboxEntry>;

const orderIdOf = ({ aggregate }: AnyOperation): string => aggregate.replace(/^order:/, '');
const itemKeyOf = ({ aggregate }: AnyOperation): string => aggregate.replace(/^stock:/, 's');

/** Adds what the rows of the database know about the operations' treatments, items and people. */
export async function withDetails<T extends { operation: AnyOperation }>(
  db: ClinicDatabase,
  entries: T[],
): Promise<Detailed<T>[]> {
  const operations = entries.map(({ operation }) => operation);
  const [orders, items, people] = await Promise.all([
    db.orders.bulkGet(operations.map(orderIdOf)),
    db.catalogue.bulkGet(operations.map(itemKeyOf)),
    userNames(db),
  ]);
  return entries.map((entry, index) => {
    const { operation } = entry;
    const order = orders[index];
    const { number, amountMinor, reason } = summarizeOperation(operation);
    return {
      ...entry,
      subject: number ?? order?.number ?? items[index]?.name ?? reason ?? '',
      amountMinor: amountMinor !== null && Number.isFinite(amountMinor) ? amountMinor : null,
      currency: order?.currency ?? 'EUR',
      actor: people.get(operation.actor_id) ?? '',
    };
  });
}
