/** Form state of a stock item, its validation and its request body. */
import type { Problems } from '#domain/problems.ts';
import { blankStock } from '#domain/stock/blank-drafts.ts';
import { stockProblems } from '#domain/stock/drafts.ts';
import type { StockDraft } from '#domain/stock/drafts.ts';
import type { StockResource } from '#domain/stock/resources.ts';
import { changedFields, problemsOfChanged } from '../form/opened-draft.ts';
import type { OpenedDraft } from '../form/opened-draft.ts';

export interface ItemFields extends StockDraft {
  /** YYYY-MM-DD in the browser's time zone; empty for never. */
  restocked_on: string;
}

export type ItemDraft = ItemFields & OpenedDraft<ItemFields>;

export const blankItem: ItemDraft = { ...blankStock, restocked_on: '', picture: null, opened: null };

export function draftOf(item: StockResource): ItemDraft {
  const { id: _id, created_at: _created, updated_at: _updated, last_restocked_at, ...rest } = item;
  const opened: ItemFields = { ...rest, restocked_on: last_restocked_at ? calendarDay(last_restocked_at) : '' };
  return { ...opened, picture: null, opened };
}

/** Validates changed fields only, so that an item with a negative quantity can still be renamed. */
export const itemProblems = (draft: ItemDraft): Problems<keyof ItemDraft> =>
  problemsOfChanged<ItemFields>(draft, stockProblems(draft));

/**
 * Returns all fields of a new item, or the changed fields of an existing one. A changed quantity is sent with the quantity
 * that the form showed, so that the server records a count only if the user changed it (SYNC-10).
 */
export function itemBody(draft: ItemDraft): Record<string, unknown> {
  const { opened } = draft;
  return Object.fromEntries(
    changedFields<ItemFields>(draft).flatMap((field): [string, unknown][] => {
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

/** Returns the start of the day in the browser's time zone, which is also the time zone of the list. */
const startOfCalendarDay = (day: string): string | null => (day ? new Date(`${day}T00:00:00`).toISOString() : null);
