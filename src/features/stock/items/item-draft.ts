/** What the form of a stock item holds, and what of it is sent. */
import type { Problems } from '../../../../domain/problems.ts';
import { stockProblems } from '../../../../domain/stock/drafts.ts';
import type { StockDraft } from '../../../../domain/stock/drafts.ts';
import type { StockResource } from '../../../../domain/stock/resources.ts';
import { defaultStockUnit } from '../../../../domain/stock/vocabulary.ts';

/** What a person fills in. */
export interface ItemFields extends StockDraft {
  /** YYYY-MM-DD on the reader's calendar; empty for never. */
  restocked_on: string;
}

export interface ItemDraft extends ItemFields {
  /** A picture that was chosen and is not uploaded yet. */
  picture: File | null;
  /**
   * What the form showed when it was opened; null for a new item. It belongs to the draft: one that is taken up days later
   * must not undo what others changed meanwhile.
   */
  opened: ItemFields | null;
}

export const blankItem: ItemDraft = {
  name: '',
  unit: defaultStockUnit,
  category_id: null,
  image_url: null,
  supplier: '',
  supplier_contact: '',
  quantity: 0,
  reserved_quantity: 0,
  low_stock_threshold: 0,
  cost_per_unit: 0,
  barcode: null,
  is_available: true,
  tracks_lots: false,
  restocked_on: '',
  picture: null,
  opened: null,
};

export function draftOf(item: StockResource): ItemDraft {
  const { id: _id, created_at: _created, updated_at: _updated, last_restocked_at, ...rest } = item;
  const opened: ItemFields = { ...rest, restocked_on: last_restocked_at ? calendarDay(last_restocked_at) : '' };
  return { ...opened, picture: null, opened };
}

type Field = keyof ItemFields;
const fields = Object.keys(blankItem).filter((key): key is Field => key !== 'picture' && key !== 'opened');
const changedFields = ({ opened, ...draft }: ItemDraft): Field[] =>
  fields.filter((field) => !opened || draft[field] !== opened[field]);

/** What is wrong with what was changed: an item whose level fell below zero can still be renamed. */
export function itemProblems(draft: ItemDraft): Problems<keyof ItemDraft> {
  const changed = changedFields(draft);
  return Object.fromEntries(Object.entries(stockProblems(draft)).filter(([field]) => changed.includes(field as Field)));
}

/**
 * What is sent: all of a new item, of an old one what was changed. A quantity goes with the one that the form showed, so that
 * it counts only where somebody changed it (SYNC-10).
 */
export function itemBody(draft: ItemDraft): Record<string, unknown> {
  const { opened } = draft;
  return Object.fromEntries(
    changedFields(draft).flatMap((field): [string, unknown][] => {
      if (field === 'restocked_on')
        return draft.restocked_on || opened ? [['last_restocked_at', startOfCalendarDay(draft.restocked_on)]] : [];
      const isExpected = opened && (field === 'quantity' || field === 'reserved_quantity');
      return [[field, draft[field]], ...(isExpected ? [[`expected_${field}`, opened[field]] as [string, number]] : [])];
    }),
  );
}

function calendarDay(iso: string): string {
  const at = new Date(iso);
  return [at.getFullYear(), at.getMonth() + 1, at.getDate()].map((part) => String(part).padStart(2, '0')).join('-');
}

/** An instant, because the day that a list shows is the reader's as well. */
const startOfCalendarDay = (day: string): string | null => (day ? new Date(`${day}T00:00:00`).toISOString() : null);
