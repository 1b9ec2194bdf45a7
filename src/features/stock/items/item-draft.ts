/** Form state of a stock item and its request body. */
import { blankStock } from '#domain/stock/blank-drafts.ts';
import type { StockDraft } from '#domain/stock/drafts.ts';
import type { StockResource } from '#domain/stock/resources.ts';

export interface ItemDraft extends StockDraft {
  /** YYYY-MM-DD in the browser's time zone; empty for never. */
  restocked_on: string;
  /** A chosen picture that is not uploaded yet. */
  picture: File | null;
}

export const blankItem: ItemDraft = { ...blankStock, restocked_on: '', picture: null };

/** The fields that the form calls otherwise than the record. */
export const itemNames = { restocked_on: 'last_restocked_at' } as const;

export function draftOf(item: StockResource): ItemDraft {
  const { id: _id, created_at: _created, updated_at: _updated, last_restocked_at, ...rest } = item;
  return {
    ...rest,
    restocked_on: last_restocked_at ? calendarDay(last_restocked_at) : '',
    picture: null,
  };
}

/** The form has a day where the record has an instant. */
export function itemBody({ picture: _picture, restocked_on, ...fields }: ItemDraft): Record<string, unknown> {
  return { ...fields, [itemNames.restocked_on]: startOfCalendarDay(restocked_on) };
}

function calendarDay(iso: string): string {
  const at = new Date(iso);
  return [at.getFullYear(), at.getMonth() + 1, at.getDate()].map((part) => String(part).padStart(2, '0')).join('-');
}

/** Returns the start of the day in the browser's time zone, which is also the time zone of the list. */
const startOfCalendarDay = (day: string): string | null => (day ? new Date(`${day}T00:00:00`).toISOString() : null);
