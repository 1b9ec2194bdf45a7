import { describe, expect, test } from 'vitest';
import type { StockResource } from '#domain/stock/resources.ts';
import { blankItem, draftOf, itemBody, itemProblems } from '#src/features/stock/items/item-draft.ts';

const gloves: StockResource = {
  id: 7,
  name: 'Nitrile gloves',
  unit: 'boxes',
  category_id: 2,
  image_url: null,
  supplier: 'Oralia Retail',
  supplier_contact: '+34 600 000 000',
  quantity: 12,
  reserved_quantity: 2,
  low_stock_threshold: 5,
  cost_per_unit: 6.9,
  barcode: null,
  is_available: true,
  needs_preparation: false,
  is_favourite: false,
  is_stocked: true,
  tracks_lots: false,
  last_restocked_at: '2026-03-04T11:30:00.000Z',
  created_at: '2026-01-01T00:00:00.000Z',
  updated_at: '2026-03-04T11:30:00.000Z',
};

describe('itemBody', () => {
  test('sends all fields of a new item, without an empty restocking date', () => {
    const { picture: _picture, opened: _opened, restocked_on: _restocked, ...fields } = blankItem;
    expect(itemBody({ ...blankItem, name: 'Gauze' })).toEqual({ ...fields, name: 'Gauze' });
  });

  test('sends nothing for an unchanged item', () => {
    expect(itemBody(draftOf(gloves))).toEqual({});
  });

  test('SYNC-10 sends a changed quantity with the quantity that the form showed', () => {
    expect(itemBody({ ...draftOf(gloves), quantity: 9, reserved_quantity: 0 })).toEqual({
      quantity: 9,
      expected_quantity: 12,
      reserved_quantity: 0,
      expected_reserved_quantity: 2,
    });
    expect(itemBody({ ...draftOf(gloves), name: 'Gloves' })).toEqual({ name: 'Gloves' });
  });

  test('sends the restocking date as the start of that day in the browser’s time zone, or as null', () => {
    const { last_restocked_at: at } = itemBody({ ...draftOf(gloves), restocked_on: '2026-05-06' }) as {
      last_restocked_at: string;
    };
    expect(new Date(at).toDateString()).toBe('Wed May 06 2026');
    expect(itemBody({ ...draftOf(gloves), restocked_on: '' })).toEqual({ last_restocked_at: null });
  });
});

describe('itemProblems', () => {
  test('validates changed fields only, so that an item below zero can still be renamed', () => {
    const below = draftOf({ ...gloves, quantity: -3 });
    expect(itemProblems({ ...below, name: 'Gloves' })).toEqual({});
    expect(itemProblems({ ...below, quantity: -2 })).toEqual({ quantity: 'QUANTITY_NEGATIVE' });
  });

  test('distinguishes a number with too many decimals from a negative one', () => {
    expect(itemProblems({ ...draftOf(gloves), quantity: 1.2345, cost_per_unit: 0.999 })).toEqual({
      quantity: 'NUMBER_UNFIT',
      cost_per_unit: 'NUMBER_UNFIT',
    });
    expect(itemProblems({ ...draftOf(gloves), low_stock_threshold: 0.005, cost_per_unit: 1.15 })).toEqual({});
  });

  test('validates all fields of a new item', () => {
    expect(itemProblems({ ...blankItem, unit: '' })).toEqual({
      name: 'NAME_REQUIRED',
      unit: 'UNIT_REQUIRED',
      supplier: 'SUPPLIER_REQUIRED',
      supplier_contact: 'SUPPLIER_CONTACT_REQUIRED',
    });
  });
});
