import { afterEach, beforeEach, expect, test } from 'vitest';
import { adjustStock } from '#src/db/commands/stock.ts';
import type { VerifierRow } from '#src/db/database.ts';
import { transition } from '#src/db/operation-state.ts';
import { sendingState } from '#tests/support/sending-state.ts';
import {
  recentAdjustments,
  searchStock,
  shortageCounts,
  shortItems,
  stockByBarcode,
} from '#src/db/queries/stock-levels.ts';
import { rebaseStock } from '#src/db/rebase.ts';
import { withQuantity } from '#src/db/rows.ts';
import { stockItem } from '#sw/sync/catalogue.ts';
import { openTablet, service, valueOf } from './tablet.ts';
import type { OfflineTablet } from './tablet.ts';

let tablet: OfflineTablet;
beforeEach(async () => {
  tablet = await openTablet();
  await tablet.db.catalogue.clear();
});
afterEach(() => tablet.close());

const item = (id: number, name: string, quantity: number, changes = {}) =>
  withQuantity(
    service(id, { name, search_key: name.toLowerCase(), base_quantity_milli: quantity * 1000, ...changes }),
    quantity * 1000,
  );
/** What is sold and not stocked. */
const sold = (changes: object) => {
  const { stocked: _stocked, ...row } = service(3, { quantity_milli: null, base_quantity_milli: null });
  return { ...row, ...changes };
};
const names = (items: { name: string }[]) => items.map(({ name }) => name);

test('the search finds items by the beginning of the name, also items not for sale, but no products and no services', async () => {
  await tablet.db.catalogue.bulkPut([
    item(1, 'Gauze', 10),
    item(2, 'Gauze swabs', 10, { available: 0 }),
    sold({ key: 'p3', type: 'product', id: 3, name: 'Gauze kit', search_key: 'gauze kit', barcode: '123' }),
    sold({ key: 's5', id: 5, name: 'Gauze dressing', search_key: 'gauze dressing' }),
    item(4, 'Masks', 10, { barcode: '123', available: 0 }),
  ]);
  expect(names(await searchStock(tablet.db, { text: ' gáu', limit: 5 }))).toEqual(['Gauze', 'Gauze swabs']);
  expect(names(await searchStock(tablet.db, { text: '', limit: 2 }))).toEqual(['Gauze', 'Gauze swabs']);
  expect(await searchStock(tablet.db, { text: 'wabs', limit: 5 })).toEqual([]);
  expect((await stockByBarcode(tablet.db, '123'))!.name).toBe('Masks');
  expect(await stockByBarcode(tablet.db, '')).toBeUndefined();
});

test('items out of stock come before low ones, each sorted by name, in pages', async () => {
  await tablet.db.catalogue.bulkPut([
    item(1, 'A', 1),
    item(2, 'B', 0),
    item(3, 'C', 3),
    item(4, 'D', -2),
    item(5, 'E', 2),
  ]);
  expect(await shortageCounts(tablet.db)).toEqual({ out_of_stock: 2, low_stock: 2 });
  const page = async (of: 'all' | 'low_stock' | 'out_of_stock', limit: number, offset = 0) =>
    names(await shortItems(tablet.db, { of, limit, offset }));
  expect(await page('all', 10)).toEqual(['B', 'D', 'A', 'E']);
  expect(await page('all', 1, 1)).toEqual(['D']);
  expect(await page('all', 2, 1)).toEqual(['D', 'A']);
  expect(await page('all', 2, 2)).toEqual(['A', 'E']);
  expect(await page('all', 2, 3)).toEqual(['E']);
  expect(await page('low_stock', 10)).toEqual(['A', 'E']);
  expect(await page('out_of_stock', 10)).toEqual(['B', 'D']);
});

test('SYNC-10 shortages follow adjustments, the feed and the replay', async () => {
  await tablet.db.catalogue.put(item(1, 'Gauze', 10));
  const shortage = async () => (await tablet.db.catalogue.get('s1'))!.shortage;
  expect(await shortage()).toBeUndefined();
  valueOf(await adjustStock(tablet, { stockId: 1, action: 'subtract', amount: 9 }));
  expect(await shortage()).toBe('low_stock');
  valueOf(await adjustStock(tablet, { stockId: 1, action: 'set', amount: 0 }));
  expect(await shortage()).toBe('out_of_stock');
  valueOf(await adjustStock(tablet, { stockId: 1, action: 'add', amount: 5 }));
  expect(await shortage()).toBeUndefined();

  const document = {
    id: 1,
    name: 'Gauze',
    unit: 'pcs',
    category_id: null,
    image_url: null,
    supplier: '',
    supplier_contact: '',
    quantity: 1,
    reserved_quantity: 0,
    low_stock_threshold: 2,
    cost_per_unit: 1,
    barcode: null,
    is_available: false,
    needs_preparation: false,
    is_favourite: false,
    is_stocked: true,
    tracks_lots: false,
    last_restocked_at: null,
    created_at: '',
    updated_at: '',
  };
  expect(stockItem(document).shortage).toBe('low_stock');
  await tablet.db.catalogue.put(stockItem(document));
  await rebaseStock(tablet.db, [1]);
  expect(await tablet.db.catalogue.get('s1')).toMatchObject({ base_quantity_milli: 1000, quantity_milli: 5000 });
  expect(await shortage()).toBeUndefined();
});

test('local adjustments show their author and status, the latest first', async () => {
  await tablet.db.catalogue.put(item(1, 'Gauze', 10));
  await tablet.db.verifiers.put({ email: 'ana@x', user: { id: 7, name: 'Ana' } } as VerifierRow);
  for (const amount of [1, 2, 3, 4, 5]) {
    tablet.clock.now += 1000;
    valueOf(await adjustStock(tablet, { stockId: 1, action: 'add', amount, notes: ` note ${amount} ` }));
  }
  const [first, second, third, fourth] = await tablet.db.operation_states.orderBy('queue_place').toArray();
  await tablet.db.operation_states.bulkPut([
    transition(sendingState(first), 'refuse', 1),
    transition(sendingState(second), 'accept', 1),
    transition(sendingState(third), 'replace', 1, { superseded_by: fourth!.op_id }),
    transition(sendingState(fourth), 'replace', 1, { superseded_by: 'void', voided_at: 1 }),
  ]);
  const recent = await recentAdjustments(tablet.db, { limit: 10 });
  expect(recent.map(({ amountMilli, where }) => [amountMilli, where])).toEqual([
    [5000, 'device'],
    [4000, 'voided'],
    [2000, 'server'],
    [1000, 'refused'],
  ]);
  expect(recent[0]).toMatchObject({
    action: 'add',
    notes: 'note 5',
    actor: 'Ana',
    atMs: tablet.clock.now,
    item: { name: 'Gauze' },
  });
  expect(await recentAdjustments(tablet.db, { limit: 2 })).toHaveLength(2);
  await tablet.db.catalogue.clear();
  expect((await recentAdjustments(tablet.db, { limit: 1 }))[0]!.item).toBeUndefined();
});
