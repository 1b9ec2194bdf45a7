import { describe, expect, test } from 'vitest';
import type { StockResource } from '#domain/stock/resources.ts';
import { stockProblems } from '#domain/stock/drafts.ts';
import { blankItem, draftOf, itemBody, itemNames } from '#src/features/stock/items/item-draft.ts';
import type { ItemDraft } from '#src/features/stock/items/item-draft.ts';
import { changeIn, edited, problemsOfChange } from '#src/forms/edited-record.ts';

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

const edit = edited<StockResource, ItemDraft>(gloves, {
  draftOf,
  bodyOf: itemBody,
  names: itemNames,
  views: {},
})!;
const change = (draft: ItemDraft) => changeIn(edit, edit.stored, draft);
const problems = (draft: ItemDraft, item = gloves) => problemsOfChange(edit, { ...item }, draft, stockProblems);

describe('the form of a stock item', () => {
  test('sends all fields of a new item', () => {
    const { picture: _picture, restocked_on: _restocked, ...fields } = blankItem;
    expect(itemBody({ ...blankItem, name: 'Gauze' })).toEqual({
      ...fields,
      name: 'Gauze',
      last_restocked_at: null,
    });
  });

  test('sends nothing for an unchanged item', () => {
    expect(change(draftOf(gloves))).toEqual({ changes: {}, seen: {} });
  });

  test('SYNC-10 sends a changed quantity with the quantity that the form showed', () => {
    expect(change({ ...draftOf(gloves), quantity: 9, reserved_quantity: 0 })).toEqual({
      changes: { quantity: 9, reserved_quantity: 0 },
      seen: { quantity: 12, reserved_quantity: 2 },
    });
    expect(change({ ...draftOf(gloves), name: 'Gloves' }).changes).toEqual({ name: 'Gloves' });
  });

  test('sends the restocking date as the start of that day in the browser’s time zone, or as null', () => {
    const { changes, seen } = change({ ...draftOf(gloves), restocked_on: '2026-05-06' });
    expect(new Date(changes['last_restocked_at'] as string).toDateString()).toBe('Wed May 06 2026');
    expect(seen).toEqual({ last_restocked_at: gloves.last_restocked_at });
    expect(change({ ...draftOf(gloves), restocked_on: '' }).changes).toEqual({
      last_restocked_at: null,
    });
  });

  test('validates what it changes, so that an item below zero can still be renamed', () => {
    const below = { ...gloves, quantity: -3 };
    expect(problems({ ...draftOf(below), name: 'Gloves' }, below)).toEqual({});
    expect(problems({ ...draftOf(below), quantity: -2 }, below)).toEqual({
      quantity: 'QUANTITY_NEGATIVE',
    });
  });

  test('distinguishes a number with too many decimals from a negative one', () => {
    expect(problems({ ...draftOf(gloves), quantity: 1.2345, cost_per_unit: 0.999 })).toEqual({
      quantity: 'NUMBER_UNFIT',
      cost_per_unit: 'NUMBER_UNFIT',
    });
    expect(problems({ ...draftOf(gloves), low_stock_threshold: 0.005, cost_per_unit: 1.15 })).toEqual({});
  });
});
