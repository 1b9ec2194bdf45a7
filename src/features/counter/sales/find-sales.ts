import { db } from '../../../device/database.ts';
import { findOrders } from '../../../db/queries/find-orders.ts';
import { salesOf } from './sales.ts';
import type { Sale } from './sales.ts';

const mostOrders = 30;

/** The papers of late whose treatment carries the text in its name or in a number. */
export async function searchSales(text: string): Promise<Sale[]> {
  return salesOf(await findOrders(db, { text, limit: mostOrders }));
}
