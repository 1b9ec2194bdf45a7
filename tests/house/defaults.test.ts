/** A default stands once: forms, columns and the server's configuration read it. What the server stores, its own tests say. */
import { getTableColumns } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { blankProduct, blankPurchase, blankStock } from '#domain/stock/blank-drafts.ts';
import { defaultSettings } from '#domain/settings/settings.ts';
import { blankStaff } from '#domain/staff/decisions.ts';
import { readConfig } from '#server/config.ts';
import { users } from '#server/db/schema/access.ts';
import { products, stockItems } from '#server/db/schema/catalogue.ts';
import { blankItem } from '#src/features/stock/items/item-draft.ts';
import { blankService } from '#src/features/stock/products/service-draft.ts';
import { blankOrder } from '#src/features/stock/purchase-orders/order-draft.ts';

test('an empty form says what the server stores for an empty body', () => {
  expect(blankItem).toMatchObject(blankStock);
  expect(blankService).toMatchObject(blankProduct);
  expect(blankOrder).toEqual(blankPurchase);
});

test('a column has the default of its form', () => {
  const same = {
    isAvailable: 'is_available',
    needsPreparation: 'needs_preparation',
    isFavourite: 'is_favourite',
    tax: 'tax',
  } as const;
  for (const [column, field] of Object.entries(same)) {
    const key = column as keyof typeof same;
    expect([column, getTableColumns(stockItems)[key].default]).toEqual([column, blankStock[field]]);
    expect([column, getTableColumns(products)[key].default]).toEqual([column, blankProduct[field]]);
  }
  const { isStocked, unit, tracksLots, quantityMilli, lowStockThresholdMilli, costMinor } = getTableColumns(stockItems);
  expect([isStocked, unit, tracksLots].map((column) => column.default)).toEqual([
    blankStock.is_stocked,
    blankStock.unit,
    blankStock.tracks_lots,
  ]);
  expect([quantityMilli, lowStockThresholdMilli, costMinor].map((column) => column.default)).toEqual([
    blankStock.quantity,
    blankStock.low_stock_threshold,
    blankStock.cost_per_unit,
  ]);
  expect(getTableColumns(users).status.default).toBe(blankStaff.status);
});

test('a clinic is in the time zone of the settings unless the server is told another', () => {
  expect(readConfig({}).timeZone).toBe(defaultSettings.time_zone);
});
