import { searchKey } from '../../../domain/search-key.ts';
import type { ClinicDatabase, OrderRow } from '../database.ts';
import { recentOrders } from './orders.ts';

/** How many of the latest treatments a search looks through: several days of a busy clinic. */
const searched = 400;

/** The latest treatments that carry the text in the customer's name or in a number, newest first. */
export async function findOrders(
  db: ClinicDatabase,
  { text, limit }: { text: string; limit: number },
): Promise<OrderRow[]> {
  const [name, number] = [searchKey(text), text.trim().toUpperCase()];
  const carries = (order: OrderRow) =>
    searchKey(order.customerName).includes(name) || numbersOf(order).some((each) => each.includes(number));
  return (await recentOrders(db, { limit: searched })).filter(carries).slice(0, limit);
}

const numbersOf = ({ number, invoices, payments }: OrderRow): string[] => [
  number,
  ...invoices.map(({ invoice_number }) => invoice_number),
  ...payments.map(({ creditNoteNumber }) => creditNoteNumber ?? ''),
];
