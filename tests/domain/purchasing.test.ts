import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { purchaseProblems } from '#domain/stock/drafts.ts';
import type { PurchaseDraft } from '#domain/stock/drafts.ts';
import {
  decideCancelPurchase,
  decideChange,
  decideDeliveries,
  decideSend,
  mostReceivable,
  purchaseOrderResource,
  purchaseOrderNumber,
  suggestedMilli,
} from '#domain/stock/purchasing.ts';
import type { Delivery, PurchaseLine, PurchaseOrder } from '#domain/stock/purchasing.ts';
import { stepMilli, stockUnits } from '#domain/stock/vocabulary.ts';
import type { PurchaseOrderStatus } from '#domain/stock/vocabulary.ts';

const seeded = { seed: 20_260_601, numRuns: 300 };
const today = '2026-06-01';

const line = (over: Partial<PurchaseLine> = {}): PurchaseLine => ({
  id: 1,
  stockId: 11,
  name: 'Nitrile gloves M',
  unit: 'boxes',
  tracksLots: false,
  quantityMilli: 10_000,
  receivedMilli: 0,
  unitCostMinor: 950,
  ...over,
});
const order = (status: PurchaseOrderStatus, lines: PurchaseLine[] = [line()]): PurchaseOrder => ({
  id: 1,
  number: 'PO-000001',
  vendor: 'Henara Dental',
  vendorContact: '',
  status,
  notes: '',
  deliveryNotes: [],
  lines,
  createdBy: 'Ana',
  createdAtMs: 0,
  sentAtMs: null,
  closedAtMs: null,
});
const arrived = (quantityMilli: number, over: Partial<Delivery> = {}): Delivery => ({
  lineId: 1,
  quantityMilli,
  ...over,
});
const codeOf = (result: { ok: boolean; refusal?: { code: string } }) => (result.ok ? 'ok' : result.refusal!.code);

describe('the states of a purchase order', () => {
  test.each([
    ['draft', 'ok', 'ok', 'cancelled', 'ok'],
    ['sent', 'PURCHASE_ORDER_NOT_DRAFT', 'PURCHASE_ORDER_NOT_DRAFT', 'cancelled', 'ok'],
    ['partial', 'PURCHASE_ORDER_NOT_DRAFT', 'PURCHASE_ORDER_NOT_DRAFT', 'received', 'ok'],
    [
      'received',
      'PURCHASE_ORDER_NOT_DRAFT',
      'PURCHASE_ORDER_NOT_DRAFT',
      'PURCHASE_ORDER_CLOSED',
      'PURCHASE_ORDER_CLOSED',
    ],
    [
      'cancelled',
      'PURCHASE_ORDER_NOT_DRAFT',
      'PURCHASE_ORDER_NOT_DRAFT',
      'PURCHASE_ORDER_CLOSED',
      'PURCHASE_ORDER_CLOSED',
    ],
  ] as const)('%s: change %s, send %s, cancel %s, receive %s', (status, change, send, cancel, receive) => {
    const receivedMilli = status === 'partial' ? 4000 : status === 'received' ? 10_000 : 0;
    const purchase = order(status, [line({ receivedMilli })]);
    expect(codeOf(decideChange(purchase))).toBe(change);
    expect(codeOf(decideSend(purchase))).toBe(send);
    const cancelled = decideCancelPurchase(purchase);
    expect(cancelled.ok ? cancelled.value : codeOf(cancelled)).toBe(cancel);
    expect(codeOf(decideDeliveries(purchase, [arrived(1000)], today))).toBe(receive);
  });
});

describe('a delivery', () => {
  test('is partial until every line has come', () => {
    const two = order('sent', [line(), line({ id: 2 })]);
    const first = decideDeliveries(two, [arrived(10_000)], today);
    expect(first).toMatchObject({
      ok: true,
      value: { status: 'partial', lines: [{ receivedMilli: 10_000 }, { receivedMilli: 0 }] },
    });
    expect(
      decideDeliveries(
        order('partial', [line({ receivedMilli: 10_000 }), line({ id: 2 })]),
        [arrived(10_000, { lineId: 2 })],
        today,
      ),
    ).toMatchObject({
      ok: true,
      value: { status: 'received' },
    });
  });

  test('may exceed the order by a tenth or by one unit, and no more', () => {
    expect([mostReceivable(3000), mostReceivable(10_000), mostReceivable(200_000), mostReceivable(1)]).toEqual([
      4000, 11_000, 220_000, 1001,
    ]);
    expect(codeOf(decideDeliveries(order('sent'), [arrived(11_000)], today))).toBe('ok');
    expect(decideDeliveries(order('sent'), [arrived(11_001)], today)).toEqual({
      ok: false,
      refusal: { code: 'DELIVERY_EXCEEDS_ORDER', details: { name: 'Nitrile gloves M', ordered: 10, most: 11 } },
    });
    // The limit applies to the sum of all lots, earlier deliveries included.
    expect(codeOf(decideDeliveries(order('sent'), [arrived(6000), arrived(5001)], today))).toBe(
      'DELIVERY_EXCEEDS_ORDER',
    );
    expect(codeOf(decideDeliveries(order('partial', [line({ receivedMilli: 9000 })]), [arrived(2001)], today))).toBe(
      'DELIVERY_EXCEEDS_ORDER',
    );
  });

  test('must name lot and expiry when the item tracks lots', () => {
    const lots = order('sent', [line({ tracksLots: true })]);
    for (const missing of [
      {},
      { lotNumber: 'L1' },
      { expiresOn: '2027-01-01' },
      { lotNumber: '  ', expiresOn: '2027-01-01' },
    ]) {
      expect(codeOf(decideDeliveries(lots, [arrived(1000, missing)], today))).toBe('LOT_REQUIRED');
    }
    expect(codeOf(decideDeliveries(lots, [arrived(1000, { lotNumber: 'L1', expiresOn: today })], today))).toBe('ok');
    expect(codeOf(decideDeliveries(lots, [arrived(1000, { lotNumber: 'L1', expiresOn: '2026-05-31' })], today))).toBe(
      'LOT_EXPIRED',
    );
  });

  test('may contain lines of its order only', () => {
    expect(codeOf(decideDeliveries(order('sent'), [arrived(1000, { lineId: 9 })], today))).toBe(
      'PURCHASE_ITEM_NOT_FOUND',
    );
  });

  test('adds up to the received quantity, in any number of parts', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: 6000 }), { maxLength: 12 }), (parts) => {
        let purchase = order('sent');
        let taken = 0;
        for (const part of parts) {
          const agreed = decideDeliveries(purchase, [arrived(part)], today);
          if (!agreed.ok) continue;
          taken += part;
          purchase = { ...purchase, ...agreed.value };
        }
        expect(purchase.lines[0]!.receivedMilli).toBe(taken);
        expect(taken).toBeLessThanOrEqual(mostReceivable(10_000));
        expect(purchase.status).toBe(taken >= 10_000 ? 'received' : taken > 0 ? 'partial' : 'sent');
      }),
      seeded,
    );
  });
});

describe('a suggestion', () => {
  test.each([
    ['fills up to twice the threshold', { quantityMilli: 2000, thresholdMilli: 6000, onOrderMilli: 0 }, 10_000],
    ['subtracts the quantity on order', { quantityMilli: 2000, thresholdMilli: 6000, onOrderMilli: 7000 }, 3000],
    ['is 0 when enough is on order', { quantityMilli: 2000, thresholdMilli: 6000, onOrderMilli: 10_000 }, 0],
    ['is one unit for an item without a threshold', { quantityMilli: 0, thresholdMilli: 0, onOrderMilli: 0 }, 1000],
    ['also covers a negative quantity', { quantityMilli: -3000, thresholdMilli: 1000, onOrderMilli: 0 }, 5000],
    ['is rounded to whole boxes', { quantityMilli: 1500, thresholdMilli: 2000, onOrderMilli: 0 }, 3000],
  ])('%s', (_title, item, expected) => {
    expect(suggestedMilli({ unit: 'boxes', ...item })).toBe(expected);
  });

  test('reaches the target with the smallest number of whole steps', () => {
    const milli = fc.integer({ min: 0, max: 90_000 });
    fc.assert(
      fc.property(
        fc.constantFrom(...stockUnits, 'bundles'),
        milli,
        milli,
        milli,
        (unit, quantityMilli, thresholdMilli, onOrderMilli) => {
          const suggested = suggestedMilli({ unit, quantityMilli, thresholdMilli, onOrderMilli });
          const missing = Math.max(2 * thresholdMilli, 1000) - quantityMilli - onOrderMilli;
          expect(suggested % stepMilli(unit)).toBe(0);
          expect(suggested).toBeGreaterThanOrEqual(missing);
          expect(suggested).toBeLessThan(Math.max(missing, 0) + stepMilli(unit));
        },
      ),
      seeded,
    );
  });
});

test.each<[Partial<PurchaseDraft>, object]>([
  [{}, {}],
  [{ vendor: ' ' }, { vendor: 'REQUIRED' }],
  [
    { vendor: 'x'.repeat(201), vendor_contact: 'x'.repeat(201), notes: 'x'.repeat(2001) },
    { vendor: 'TOO_LONG', vendor_contact: 'TOO_LONG', notes: 'TOO_LONG' },
  ],
  [{ items: [] }, { items: 'LINES_REQUIRED' }],
  [{ items: [{ stock_id: 1, quantity: 0, unit_cost: 1 }] }, { items: 'QUANTITY_NOT_POSITIVE' }],
  [{ items: [{ stock_id: 1, quantity: Number.NaN }] }, { items: 'QUANTITY_NOT_POSITIVE' }],
  [{ items: [{ stock_id: 1, quantity: 1, unit_cost: -0.01 }] }, { items: 'COST_NEGATIVE' }],
])('a draft with %j has the problems %j', (over, problems) => {
  expect(
    purchaseProblems({
      vendor: 'Henara Dental',
      vendor_contact: '',
      notes: '',
      items: [{ stock_id: 1, quantity: 0.001 }],
      ...over,
    }),
  ).toEqual(problems);
});

test('is serialized in decimals', () => {
  const document = purchaseOrderResource({
    ...order('sent', [line({ quantityMilli: 2500, unitCostMinor: 333 }), line({ id: 2 })]),
    sentAtMs: 1000,
  });
  expect(document).toMatchObject({
    total: 103.33,
    sent_at: '1970-01-01T00:00:01.000Z',
    closed_at: null,
    items: [{ quantity: 2.5, unit_cost: 3.33, total: 8.33 }, { total: 95 }],
  });
  expect([purchaseOrderNumber(1), purchaseOrderNumber(1_234_567)]).toEqual(['PO-000001', 'PO-1234567']);
});
