/** A queued operation as people know it: what was done, on which paper, for how much. */
import { minorFromWire } from '../../../domain/money.ts';
import type { AnyOperation } from '../../../domain/protocol/operations.ts';
import type { ClinicDatabase } from '../../db/database.ts';
import type { OutboxEntry } from '../../db/queries/outbox.ts';

export interface DescribedEntry extends OutboxEntry {
  /** The number on the paper, or for stock the item's name. */
  subject: string;
  /** Null where no money moved. */
  amountMinor: number | null;
  currency: string;
}

const linesMinor = (items: { quantity: number; unit_price: number }[]): number =>
  items.reduce((sum, { quantity, unit_price }) => sum + Math.round(quantity * minorFromWire(unit_price)), 0);

function amountOf(operation: AnyOperation): number | null {
  switch (operation.kind) {
    case 'order.create':
      return minorFromWire(operation.payload.total);
    case 'order.add_services':
      return linesMinor(operation.payload.items);
    case 'order.pay':
      return minorFromWire(operation.payload.amount);
    case 'order.refund':
      return -minorFromWire(operation.payload.amount);
    case 'order.cancel':
    case 'stock.adjust':
      return null;
  }
}

/** Adds what the rows of the database know about the operations' treatments and items. */
export async function describeEntries(db: ClinicDatabase, entries: OutboxEntry[]): Promise<DescribedEntry[]> {
  const orderIds = entries.map(({ operation: { payload } }) => ('order_id' in payload ? payload.order_id : ''));
  const itemKeys = entries.map(({ operation: { payload } }) => ('stock_id' in payload ? `s${payload.stock_id}` : ''));
  const [orders, items] = await Promise.all([db.orders.bulkGet(orderIds), db.catalogue.bulkGet(itemKeys)]);
  return entries.map((entry, index) => {
    const { operation } = entry;
    const order = orders[index];
    const own = operation.kind === 'order.pay' ? operation.payload.invoice?.invoice_number : undefined;
    return {
      ...entry,
      subject: own ?? order?.number ?? items[index]?.name ?? '',
      amountMinor: amountOf(operation),
      currency: order?.currency ?? 'EUR',
    };
  });
}
