import { summarizeOperation } from '#domain/protocol/operations.ts';
import type { AnyOperation } from '#domain/protocol/operations.ts';
import type { ClinicDatabase } from '#src/db/database.ts';
import type { OutboxEntry } from '#src/db/dependants.ts';
import { userNames } from '#src/db/queries/tray.ts';

/** An operation in the words that people know it by. */
export interface EntryDetails {
  /** The printed number, the name of the stock item, or the reason of a cash movement. */
  subject: string;
  /** Null where no money moved. */
  amountMinor: number | null;
  currency: string;
  /** The name of the person who did it; empty when the person has not signed in on this device lately. */
  actor: string;
  /** The name of the person who approved it; empty where nobody did. */
  approver: string;
}

export type Detailed<Entry> = Entry & EntryDetails;
export type DetailedEntry = Detailed<OutboxEntry>;

const orderIdOf = ({ aggregate }: AnyOperation): string => aggregate.replace(/^order:/, '');
const itemKeyOf = ({ aggregate }: AnyOperation): string => aggregate.replace(/^stock:/, 's');

/** Adds the details that this device's database knows. */
export async function withDetails<Entry extends { operation: AnyOperation }>(
  db: ClinicDatabase,
  entries: Entry[],
): Promise<Detailed<Entry>[]> {
  const operations = entries.map(({ operation }) => operation);
  const [orders, items, names] = await Promise.all([
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
      // A refused payload may lack the amount.
      amountMinor: amountMinor !== null && Number.isFinite(amountMinor) ? amountMinor : null,
      currency: order?.currency ?? 'EUR',
      actor: names.get(operation.actor_id) ?? '',
      approver: names.get(operation.approval?.actor_id ?? 0) ?? '',
    };
  });
}
