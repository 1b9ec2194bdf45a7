import { afterEach, beforeEach, expect, test } from 'vitest';
import { categories, itemByBarcode, itemsByKey, searchCatalogue } from '../../../src/db/queries/catalogue.ts';
import { confirmedOrders, recentOrders } from '../../../src/db/queries/orders.ts';
import { attentionEntries, outboxEntries, outboxSummary, serverAttention } from '../../../src/db/queries/outbox.ts';
import { createTreatment } from '../../../src/db/commands/treatments.ts';
import { takePayment } from '../../../src/db/commands/payments.ts';
import { withStatus } from '../../../src/db/operation-state.ts';
import { openTablet, service, valueOf } from './tablet.ts';
import type { OfflineTablet } from './tablet.ts';

let tablet: OfflineTablet;
beforeEach(async () => {
  tablet = await openTablet();
});
afterEach(() => tablet.close());

const named = (id: number, name: string, key: string, category_id: number, available: 0 | 1 = 1) =>
  service(id, { name, search_key: key, category_id, available, barcode: `b${id}` });
const treatment = { orderType: 'walk_in' as const, services: [{ itemKey: 's1', quantity: 1 }] };

test('the search finds items for sale by the beginning of the name and by category, in pages', async () => {
  await tablet.db.catalogue.clear();
  await tablet.db.catalogue.bulkPut([
    named(1, 'Ácido', 'acido', 1),
    named(2, 'Acrílico', 'acrilico', 2),
    named(3, 'Broca', 'broca', 1),
    named(4, 'Acetato', 'acetato', 1, 0),
  ]);
  const names = async (text: string, categoryId: number | null, offset = 0) =>
    (await searchCatalogue(tablet.db, { text, categoryId, limit: 2, offset })).map(({ name }) => name);
  expect(await names('', null)).toEqual(['Ácido', 'Acrílico']);
  expect(await names('', null, 2)).toEqual(['Broca']);
  expect(await names(' ÁC', null)).toEqual(['Ácido', 'Acrílico']);
  expect(await names('ac', 1)).toEqual(['Ácido']);
  expect(await names('cid', null)).toEqual([]);
  expect((await itemByBarcode(tablet.db, 'b3'))!.name).toBe('Broca');
  expect(await itemByBarcode(tablet.db, 'b4')).toBeUndefined();
  expect(await itemByBarcode(tablet.db, '')).toBeUndefined();
  expect((await itemsByKey(tablet.db, ['s3', 'x', 's1'])).map(({ id }) => id)).toEqual([3, 1]);
});

test('categories are listed by name', async () => {
  const row = (id: number, name: string) => ({
    id,
    name,
    description: '',
    color: null,
    created_at: '',
    updated_at: '',
  });
  await tablet.db.categories.bulkPut([row(1, 'B'), row(2, 'A')]);
  expect((await categories(tablet.db)).map(({ id }) => id)).toEqual([2, 1]);
});

test('open treatments are listed newest first, and paid ones among the recent treatments', async () => {
  const ids: string[] = [];
  for (let count = 0; count < 3; count += 1) {
    tablet.clock.now += 1000;
    ids.push(valueOf(await createTreatment(tablet, treatment)).orderId);
  }
  tablet.clock.now += 1000;
  valueOf(await takePayment(tablet, { orderId: ids[0]!, method: 'cash', tenderedMinor: 1000 }));
  expect((await confirmedOrders(tablet.db, { limit: 5 })).map(({ id }) => id)).toEqual([ids[2], ids[1]]);
  expect((await recentOrders(tablet.db, { limit: 2 })).map(({ id }) => id)).toEqual([ids[0], ids[2]]);
});

test('the outbox summary counts waiting and refused operations', async () => {
  for (let count = 0; count < 3; count += 1) valueOf(await createTreatment(tablet, treatment));
  const [first, second, third] = (await outboxEntries(tablet.db, { limit: 5 })).map(({ state }) => state);
  await tablet.db.operation_states.bulkPut([
    withStatus(first!, 'attention', 1),
    withStatus(second!, 'sending', 1),
    withStatus(third!, 'accepted', 1),
  ]);
  expect(await outboxSummary(tablet.db)).toEqual({
    waiting: 1,
    attention: 1,
    sending: 1,
    link: 'offline',
    updateNeeded: false,
    lastContactAt: null,
    firstSyncRows: null,
  });
  expect((await outboxEntries(tablet.db, { limit: 5 })).map(({ operation }) => operation.device_seq)).toEqual([2]);
  expect((await attentionEntries(tablet.db, { limit: 5 })).map(({ operation }) => operation.device_seq)).toEqual([1]);
});

test('attention items are listed newest first', async () => {
  const item = (id: number) => ({
    id,
    kind: 'overpaid' as const,
    op_id: null,
    op_kind: null,
    order_id: null,
    details: {},
    created_at: '',
    settled_at: null,
  });
  await tablet.db.attention.bulkPut([item(1), item(2)]);
  expect((await serverAttention(tablet.db)).map(({ id }) => id)).toEqual([2, 1]);
});
