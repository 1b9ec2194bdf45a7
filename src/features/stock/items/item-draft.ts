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

<<<<<<< HEAD
/** The form has a day where the record has an instant. */
export function itemBody({ picture: _picture, restocked_on, ...fields }: ItemDraft): Record<string, unknown> {
  return { ...fields, [itemNames.restocked_on]: startOfCalendarDay(restocked_on) };
=======
/** Validates changed fields only, so that an item with a negative quantity can still be renamed. */
export const itemProblems = (draft: ItemDraft): Problems<keyof ItemDraft> =>
  problemsOfChanged<ItemFields>(draft, stockProblems(draft));

/**
 * Returns all fields of a new item, or the changed fields of an existing one. A changed quantity is sent with the quantity
 * that the form showed, so that the server records a count only if the user changed it (SYNC-10). In another unit the
 * quantity is always counted: the form says so.
 */
export function itemBody(draft: ItemDraft): Record<string, unknown> {
  const { opened } = draft;
  const body = changesOf(draft);
  if (opened === null || !isOtherUnit(draft)) return body;
  const { expected_quantity: _shown, ...rest } = body;
  return { ...rest, quantity: draft.quantity };
}

/** Returns whether the stock of an existing item will be counted in another unit. */
export const isOtherUnit = ({ opened, unit, is_stocked }: ItemDraft): boolean =>
  opened !== null && opened.is_stocked && is_stocked && unit !== opened.unit;

function changesOf(draft: ItemDraft): Record<string, unknown> {
  const { opened } = draft;
  return Object.fromEntries(
    changedFields<ItemFields>(draft).flatMap((field): [string, unknown][] => {
      if (field === 'restocked_on')
        return draft.restocked_on || opened ? [['last_restocked_at', startOfCalendarDay(draft.restocked_on)]] : [];
      const isExpected = opened && (field === 'quantity' || field === 'reserved_quantity');
      return [[field, draft[field]], ...(isExpected ? [[`expected_${field}`, opened[field]] as [string, number]] : [])];
    }),
  );
>>>>>>> 8ea75005 (fix(stock): what was agreed keeps its name and unit, and a delivery is never swallowed)
}

function calendarDay(iso: string): string {
  const at = new Date(iso);
  return [at.getFullYear(), at.getMonth() + 1, at.getDate()].map((part) => String(part).padStart(2, '0')).join('-');
}

/** Returns the start of the day in the browser's time zone, which is also the time zone of the list. */
const startOfCalendarDay = (day: string): string | null => (day ? new Date(`${day}T00:00:00`).toISOString() : null);
