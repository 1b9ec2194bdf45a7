import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { searchKey, wordStarts } from '#domain/search-key.ts';
import { learnBestSellers } from '#src/db/best-sellers.ts';
import { categories, favourites, itemByBarcode, itemsByKey, searchCatalogue } from '#src/db/queries/catalogue.ts';
import { confirmedOrders, recentlySoldOrders, recentOrders } from '#src/db/queries/orders.ts';
import { attentionEntries, outboxEntries, outboxSummary, serverAttention } from '#src/db/queries/outbox.ts';
import { cancelTreatment, createTreatment } from '#src/db/commands/treatments.ts';
import { takePayment } from '#src/db/commands/payments.ts';
import { transition } from '#src/db/operation-state.ts';
import { sendingState } from '#tests/support/sending-state.ts';
import { openTablet, service, valueOf } from './tablet.ts';
import type { OfflineTablet } from './tablet.ts';

let tablet: OfflineTablet;
beforeEach(async () => {
  tablet = await openTablet();
});
afterEach(() => tablet.close());

const named = (id: number, name: string, category_id: number, available: 0 | 1 = 1) => {
  const search_key = searchKey(name);
  const word_starts = available ? wordStarts(search_key) : [];
  return service(id, { name, search_key, word_starts, category_id, available, barcode: `b${id}` });
};
const treatment = { orderType: 'walk_in' as const, services: [{ itemKey: 's1', quantity: 1 }] };

describe('the search', () => {
  const names = async (text: string, categoryId: number | null = null, limit = 10) =>
    (await searchCatalogue(tablet.db, { text, categoryId, limit })).map(({ name }) => name);
  beforeEach(async () => {
    await tablet.db.catalogue.clear();
    await tablet.db.catalogue.bulkPut([
      named(1, 'Ácido grabador', 1),
      named(2, 'Acrílico', 2),
      named(3, 'Broca', 1),
      named(4, 'Acetato', 1, 0),
      named(5, 'Limpieza dental', 1),
      named(6, 'Dentadura, limpieza', 2),
      named(7, 'Limpieza y limpieza profunda', 2),
    ]);
  });

  test('lists items for sale by name and by category', async () => {
    expect(await names('', null, 3)).toEqual(['Ácido grabador', 'Acrílico', 'Broca']);
    expect(await names('', 1)).toEqual(['Ácido grabador', 'Broca', 'Limpieza dental']);
  });

  test('finds any word of the name by its beginning, without accents and case', async () => {
    expect(await names(' ÁC')).toEqual(['Ácido grabador', 'Acrílico']);
    expect(await names('graba')).toEqual(['Ácido grabador']);
    expect(await names('dent')).toEqual(['Dentadura, limpieza', 'Limpieza dental']);
    expect(await names('ac', 1)).toEqual(['Ácido grabador']);
    expect(await names('cid')).toEqual([]);
    expect(await names('%')).toEqual([]);
    expect(await names('acet')).toEqual([]);
  });

  test('requires each typed word, in any order', async () => {
    expect(await names('limp den')).toEqual(['Dentadura, limpieza', 'Limpieza dental']);
    expect(await names('den limp', 2)).toEqual(['Dentadura, limpieza']);
    expect(await names('dent broca')).toEqual([]);
  });

  test('returns fewer items than its limit only when there are no more', async () => {
    expect(await names('limp', null, 2)).toHaveLength(2);
    // One name has the word twice, so the first read of the index holds fewer items than entries.
    expect(await names('limpieza', null, 3)).toHaveLength(3);
    const many = Array.from({ length: 60 }, (_, at) => named(100 + at, `Tornillo ${at}`, at < 55 ? 1 : 2));
    await tablet.db.catalogue.bulkPut(many);
    expect(await names('tornillo', 2, 5)).toHaveLength(5);
  });

  test('finds items by barcode and by key', async () => {
    expect((await itemByBarcode(tablet.db, 'b3'))!.name).toBe('Broca');
    expect(await itemByBarcode(tablet.db, 'b4')).toBeUndefined();
    expect(await itemByBarcode(tablet.db, '')).toBeUndefined();
    await tablet.db.catalogue.put({ ...named(90, 'Guantes', 1), barcode: '036000291452' });
    expect((await itemByBarcode(tablet.db, ']E00036000291452'))!.name).toBe('Guantes');
    expect((await itemsByKey(tablet.db, ['s3', 'x', 's1'])).map(({ id }) => id)).toEqual([3, 1]);
  });
});

describe('the favourites', () => {
  const learn = () =>
    tablet.db.transaction('rw', [tablet.db.best_sellers, tablet.db.orders, tablet.db.settings], () =>
      learnBestSellers(tablet.db, tablet.clock.now),
    );
  const sell = async (...ids: number[]) => {
    tablet.clock.now += 1000;
    return valueOf(
      await createTreatment(tablet, {
        orderType: 'walk_in',
        services: ids.map((id) => ({ itemKey: `s${id}`, quantity: 3 })),
      }),
    ).orderId;
  };
  const nextDay = () => (tablet.clock.now += 86_400_000);

  test('are those that the clinic chose, then those that it sells most', async () => {
    await tablet.db.catalogue.bulkPut([service(1), service(2), service(3, { favourite: 1 })]);
    await learn();
    expect(await favourites(tablet.db, 5)).toEqual(['s3']);
    await sell(1, 2);
    await sell(2);
    const cancelled = await sell(1);
    await sell(1, 2);
    await cancelTreatment(tablet, { orderId: cancelled });
    nextDay();
    await learn();
    expect(await favourites(tablet.db, 5)).toEqual(['s3', 's2', 's1']);
    expect(await favourites(tablet.db, 2)).toEqual(['s3', 's2']);
  });

  test('change once a day, count each treatment once, and follow what is sold lately', async () => {
    await tablet.db.catalogue.bulkPut([service(1), service(2)]);
    for (let count = 0; count < 3; count += 1) await sell(1);
    nextDay();
    await learn();
    for (let count = 0; count < 2; count += 1) await sell(2);
    await learn();
    expect(await favourites(tablet.db, 5)).toEqual(['s1']);
    nextDay();
    await learn();
    expect(await favourites(tablet.db, 5)).toEqual(['s1', 's2']);
    await sell(2);
    nextDay();
    await learn();
    expect(await favourites(tablet.db, 5)).toEqual(['s2', 's1']);
  });
});

test('categories are listed by name', async () => {
  const row = (id: number, name: string) => ({
    id,
    name,
    description: '',
    color: null,
    image_url: null,
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

test('what was sold stands among the recent sales however many treatments wait for their payment', async () => {
  const sold = valueOf(await createTreatment(tablet, treatment)).orderId;
  valueOf(await takePayment(tablet, { orderId: sold, method: 'cash', tenderedMinor: 1000 }));
  for (let count = 0; count < 3; count += 1) {
    tablet.clock.now += 1000;
    valueOf(await createTreatment(tablet, treatment));
  }
  expect((await recentlySoldOrders(tablet.db, { limit: 2 })).map(({ id }) => id)).toEqual([sold]);
});

test('the outbox summary counts waiting and refused operations', async () => {
  for (let count = 0; count < 3; count += 1) valueOf(await createTreatment(tablet, treatment));
  const [first, second, third] = (await outboxEntries(tablet.db, { limit: 5 })).map(({ state }) => state);
  await tablet.db.operation_states.bulkPut([
    transition(sendingState(first), 'refuse', 1),
    sendingState(second),
    transition(sendingState(third), 'accept', 1),
  ]);
  expect(await outboxSummary(tablet.db)).toEqual({
    waiting: 1,
    unsentRecords: 0,
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
