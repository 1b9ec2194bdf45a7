/** Helpers that create stock items and record their movements. */
import { eq } from 'drizzle-orm';
import { milliFromWire } from '#domain/quantity.ts';
import { searchKey } from '#domain/search-key.ts';
import { stockItems } from '#server/db/schema/catalogue.ts';
import { inTransaction } from '#server/db/transaction.ts';
import { writeLedger } from '#server/modules/ledger/service.ts';
import type { LedgerEntry } from '#server/modules/ledger/service.ts';
import { newId } from './unique.ts';
import type { TestServer } from './server.ts';

interface ItemOptions {
  name?: string;
  quantity?: number;
  threshold?: number;
  tracksLots?: boolean;
  cost?: number;
  clinicId?: number;
}

/** Inserts a stock item without ledger entries. @returns its id */
export async function insertStockItem(
  server: Pick<TestServer, 'database' | 'clinicId'>,
  {
    name = 'Gauze',
    quantity = 0,
    threshold = 0,
    tracksLots = false,
    cost = 2,
    clinicId = server.clinicId,
  }: ItemOptions = {},
): Promise<number> {
  const [item] = await server.database
    .insert(stockItems)
    .values({
      clinicId,
      name,
      searchKey: searchKey(name),
      quantityMilli: milliFromWire(quantity),
      lowStockThresholdMilli: milliFromWire(threshold),
      tracksLots,
      costMinor: cost * 100,
    })
    .returning({ id: stockItems.id });
  return item!.id;
}

export async function itemOf(server: TestServer, id: number) {
  const [item] = await server.database.select().from(stockItems).where(eq(stockItems.id, id));
  return item!;
}

type Receipt = { quantity: number; unitCost?: number; lot?: string; expiresOn?: string | null; atMs?: number };

/** Returns the ledger entry of a delivery, with its lot if one is given. */
export function receiptEntry(
  stockId: number,
  { quantity, unitCost, lot, expiresOn = null, atMs = Date.now() }: Receipt,
): LedgerEntry {
  return {
    stockId,
    type: 'purchase',
    movement: { type: 'delta', changeMilli: milliFromWire(quantity), effectiveAtMs: atMs },
    referenceType: 'purchase_order',
    referenceId: '1',
    notes: '',
    userId: 1,
    deviceId: null,
    opId: newId(),
    lineId: null,
    ...(unitCost !== undefined && { unitCostMinor: unitCost * 100 }),
    ...(lot && { lot: { number: lot, expiresOn } }),
  };
}

export async function receive(server: TestServer, stockId: number, receipt: Receipt): Promise<void> {
  const atMs = receipt.atMs ?? Date.now();
  await inTransaction(server.database.$client, (sql) =>
    writeLedger(sql, server.clinicId, atMs, {
      entries: [receiptEntry(stockId, { ...receipt, atMs })],
      reservations: new Map(),
    }),
  );
}
