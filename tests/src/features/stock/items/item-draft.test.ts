import { describe, expect, test } from 'vitest';
import type { StockResource } from '../../../../../domain/stock/resources.ts';
import { blankItem, draftOf, itemBody, itemProblems } from '../../../../../src/features/stock/items/item-draft.ts';

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
  tracks_lots: false,
  last_restocked_at: '2026-03-04T11:30:00.000Z',
  created_at: '2026-01-01T00:00:00.000Z',
  updated_at: '2026-03-04T11:30:00.000Z',
};

describe('what the form of a stock item sends', () => {
  test('is all of a new item, without a restocking nobody entered', () => {
    const { picture: _picture, opened: _opened, restocked_on: _restocked, ...fields } = blankItem;
    expect(itemBody({ ...blankItem, name: 'Gauze' })).toEqual({ ...fields, name: 'Gauze' });
  });

  test('is nothing of an item that was only looked at', () => {
    expect(itemBody(draftOf(gloves))).toEqual({});
  });

  test('SYNC-10 is a quantity together with the one that the form showed, and neither where it was not touched', () => {
    expect(itemBody({ ...draftOf(gloves), quantity: 9, reserved_quantity: 0 })).toEqual({
      quantity: 9,
      expected_quantity: 12,
      reserved_quantity: 0,
      expected_reserved_quantity: 2,
    });
    expect(itemBody({ ...draftOf(gloves), name: 'Gloves' })).toEqual({ name: 'Gloves' });
  });

  test('is the start of the day on which it was restocked, by the reader’s calendar, or that it never was', () => {
    const { last_restocked_at: at } = itemBody({ ...draftOf(gloves), restocked_on: '2026-05-06' }) as {
      last_restocked_at: string;
    };
    expect(new Date(at).toDateString()).toBe('Wed May 06 2026');
    expect(itemBody({ ...draftOf(gloves), restocked_on: '' })).toEqual({ last_restocked_at: null });
  });
});

describe('what is wrong with the form of a stock item', () => {
  test('is judged by what was changed: an item below zero can still be renamed', () => {
    const below = draftOf({ ...gloves, quantity: -3 });
    expect(itemProblems({ ...below, name: 'Gloves' })).toEqual({});
    expect(itemProblems({ ...below, quantity: -2 })).toEqual({ quantity: 'QUANTITY_NEGATIVE' });
  });

  test('tells a number that cannot be kept from a negative one', () => {
    expect(itemProblems({ ...draftOf(gloves), quantity: 1.2345, cost_per_unit: 0.999 })).toEqual({
      quantity: 'NUMBER_UNFIT',
      cost_per_unit: 'NUMBER_UNFIT',
    });
    expect(itemProblems({ ...draftOf(gloves), low_stock_threshold: 0.005, cost_per_unit: 1.15 })).toEqual({});
  });

  test('is judged as a whole for a new item', () => {
    expect(itemProblems({ ...blankItem, unit: '' })).toEqual({
      name: 'NAME_REQUIRED',
      unit: 'UNIT_REQUIRED',
      supplier: 'SUPPLIER_REQUIRED',
      supplier_contact: 'SUPPLIER_CONTACT_REQUIRED',
    });
  });
});
