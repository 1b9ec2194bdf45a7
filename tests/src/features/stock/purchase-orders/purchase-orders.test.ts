import { expect, test } from 'vitest';
import type { PurchaseOrderResource, PurchaseOrderItemResource } from '#domain/stock/resources.ts';
import { draftTotal } from '#src/features/stock/purchase-orders/order-draft.ts';
import { orderRows, plainText } from '#src/features/stock/purchase-orders/order-document.ts';
import {
  addedLines,
  lineProblems,
  deliveryBody,
  deliveryDraftOf,
  deliveryProblems,
} from '#src/features/stock/purchase-orders/delivery-draft.ts';

const item = (id: number, rest: Partial<PurchaseOrderItemResource> = {}): PurchaseOrderItemResource => ({
  id,
  stock_id: 100 + id,
  name: `Item ${id}`,
  unit: 'boxes',
  tracks_lots: false,
  quantity: 5,
  received_quantity: 0,
  unit_cost: 9.5,
  total: 47.5,
  ...rest,
});
const order = (...items: PurchaseOrderItemResource[]): PurchaseOrderResource => ({
  id: 1,
  po_number: 'PO-000001',
  vendor: 'Henara',
  vendor_contact: '',
  status: 'sent',
  notes: '',
  delivery_notes: [],
  items,
  total: 47.5,
  created_by: 'Ana',
  created_at: '2026-03-01T10:00:00.000Z',
  sent_at: null,
  closed_at: null,
});

test('starts a delivery with all outstanding quantities and leaves out complete lines', () => {
  const { items } = deliveryDraftOf(
    order(item(1, { received_quantity: 2.001 }), item(2, { received_quantity: 5 }), item(3, { received_quantity: 6 })),
  );
  expect(items).toEqual([
    { item_id: 1, stock_id: 101, quantity: 2.999, unit_cost: 9.5, lot_number: '', expires_on: '' },
  ]);
});

test('requires lot and expiry date of a delivered line whose item tracks lots', () => {
  const tracked = item(1, { tracks_lots: true });
  const [line] = deliveryDraftOf(order(tracked)).items;
  expect(lineProblems(line!, tracked)).toEqual({ lot_number: 'REQUIRED', expires_on: 'REQUIRED' });
  expect(lineProblems({ ...line!, quantity: 0 }, tracked)).toEqual({});
  expect(lineProblems({ ...line!, lot_number: 'L1', expires_on: '2027-01-01' }, tracked)).toEqual({});
});

const noNote = { notes: '', delivery_note: '', is_another_delivery: false };

test('refuses a delivery of nothing and a negative quantity', () => {
  const whole = order(item(1));
  const [line] = deliveryDraftOf(whole).items;
  expect(deliveryProblems({ items: [{ ...line!, quantity: 0 }], ...noNote }, whole)).toEqual({
    items: 'QUANTITY_NOT_POSITIVE',
  });
  expect(deliveryProblems({ items: [{ ...line!, quantity: -1 }], ...noNote }, whole)).toEqual({
    items: 'QUANTITY_NEGATIVE',
  });
  expect(deliveryProblems({ items: [line!], ...noNote }, whole)).toEqual({});
});

test('sends only delivered lines, and a lot only for items that track lots', () => {
  const whole = order(item(1), item(2, { tracks_lots: true }), item(3));
  const draft = deliveryDraftOf(whole);
  draft.items[1] = { ...draft.items[1]!, lot_number: ' L1 ', expires_on: '2027-01-01' };
  draft.items[2] = { ...draft.items[2]!, quantity: 0 };
  expect(deliveryBody({ ...draft, delivery_note: ' DN-7 ' }, whole)).toMatchObject({
    delivery_note: 'DN-7',
    is_another_delivery: false,
  });
  expect(deliveryBody({ ...draft, notes: 'A-7' }, whole).items).toEqual([
    { item_id: 1, quantity: 5, unit_cost: 9.5, notes: 'A-7' },
    { item_id: 2, quantity: 5, unit_cost: 9.5, notes: 'A-7', lot_number: 'L1', expires_on: '2027-01-01' },
  ]);
});

test('keeps what was typed for an item whose ordered line was renewed', () => {
  const draft = deliveryDraftOf(order(item(1, { tracks_lots: true })));
  draft.items[0] = { ...draft.items[0]!, quantity: 2, lot_number: 'L1', expires_on: '2027-01-01' };
  const renewed = order(item(8), item(9, { stock_id: 101, tracks_lots: true }));
  expect(deliveryProblems(draft, renewed)).toEqual({});
  expect(deliveryBody(draft, renewed).items).toEqual([
    { item_id: 9, quantity: 2, unit_cost: 9.5, notes: '', lot_number: 'L1', expires_on: '2027-01-01' },
  ]);
});

test('an item that is ordered after a delivery was begun gets a line without a quantity, marked as new', () => {
  const { items } = deliveryDraftOf(order(item(1)));
  expect(addedLines(items, order(item(1), item(2), item(3, { received_quantity: 5 })))).toEqual([
    { item_id: 2, stock_id: 102, quantity: 0, unit_cost: 9.5, lot_number: '', expires_on: '', is_new: true },
  ]);
  expect(addedLines(items, order({ ...item(9), stock_id: 101 }))).toEqual([]);
});

test('adds up lines that are each rounded to the cent', () => {
  const line = { stock_id: 1, name: '', unit: 'kg', unit_cost: 0.99 };
  expect(
    draftTotal([
      { ...line, quantity: 0.5 },
      { ...line, quantity: 0.5 },
    ]),
  ).toBe(100);
});

test('writes the order as plain text for the vendor', () => {
  const rows = orderRows(
    order(item(1)),
    { practice_name: 'Clinic', address: 'Street 1', phone: '', email: '' },
    {
      title: 'Purchase order',
      order: 'PO number',
      date: 'Date',
      vendor: 'Vendor',
      contact: 'Contact',
      each: (cost) => `${cost} each`,
      total: 'Total',
      notes: 'Notes',
      columns: { item: 'Item', quantity: 'Ordered', cost: 'Unit cost', amount: 'Total' },
      amount: (minor) => `EUR ${minor}`,
      day: () => '1 March',
      quantity: (quantity, unit) => `${quantity} ${unit}`,
    },
  );
  expect(plainText(rows)).toBe(
    [
      'Clinic',
      'Street 1',
      '',
      'Purchase order',
      'PO number: PO-000001',
      'Date: 1 March',
      'Vendor: Henara',
      '',
      '5 boxes · Item 1: EUR 4750',
      'EUR 950 each',
      '',
      'Total: EUR 4750',
    ].join('\n'),
  );
});
