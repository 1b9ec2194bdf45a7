/** The count of a drawer in progress. It survives a reload. */
import { create } from 'zustand';
import { persist } from 'zustand/middleware';
import { readDecimal, wholeForm } from '#domain/decimal.ts';
import type { ByMethod } from '#domain/drawer/drawer.ts';
import type { PaymentMethod } from '#domain/order/vocabulary.ts';
import { amountMinor, amountText } from '#src/tender/keypad.ts';

export interface CountDraft {
  drawerId: string | null;
  amounts: Record<PaymentMethod, string>;
  /** Number of pieces as typed, by denomination in minor units; null while the cash is entered as an amount. */
  pieces: Record<string, string> | null;
  notes: string;
}

interface CountState extends CountDraft {
  /** Starts a count, or resumes the one of the same drawer. */
  start: (drawerId: string) => void;
  setAmount: (method: PaymentMethod, text: string) => void;
  setNotes: (notes: string) => void;
  setPieceCounting: (isCounting: boolean) => void;
  setPieces: (denomination: number, text: string) => void;
  discard: () => void;
}

const blank: CountDraft = {
  drawerId: null,
  amounts: { cash: '', card: '', insurance: '', others: '' },
  pieces: null,
  notes: '',
};

export const useCount = create<CountState>()(
  persist(
    (set) => ({
      ...blank,
      start: (drawerId) => set((count) => (count.drawerId === drawerId ? {} : { ...blank, drawerId })),
      setAmount: (method, text) => set(({ amounts }) => ({ amounts: { ...amounts, [method]: text } })),
      setNotes: (notes) => set({ notes }),
      setPieceCounting: (isCounting) => set({ pieces: isCounting ? {} : null }),
      setPieces: (denomination, text) =>
        set(({ pieces, amounts }) => {
          const counted = { ...pieces, [denomination]: text };
          const minor = piecesMinor(counted);
          return { pieces: counted, amounts: { ...amounts, cash: minor === null ? '' : amountText(minor) } };
        }),
      discard: () => set(blank),
    }),
    { name: 'drawer-count' },
  ),
);

/** More pieces of one kind than a drawer holds. */
const mostPieces = 999_999;

/** Returns the value of the pieces in minor units, or null while one number is not whole. */
export function piecesMinor(pieces: Readonly<Record<string, string>>): number | null {
  let sum = 0;
  for (const [denomination, text] of Object.entries(pieces)) {
    const { scaled: count, fault } = readDecimal(text, wholeForm);
    if (fault || (count ?? 0) < 0 || (count ?? 0) > mostPieces) return null;
    sum += Number(denomination) * (count ?? 0);
  }
  return sum;
}

/** Returns the amounts in minor units, or null while one is invalid. Cash is required; other empty amounts count as 0. */
export function countedMinor({ amounts }: Pick<CountDraft, 'amounts'>): ByMethod | null {
  const read = (text: string) => (text.trim() === '' ? 0 : amountMinor(text));
  const cash = amountMinor(amounts.cash);
  const [card, insurance, others] = [read(amounts.card), read(amounts.insurance), read(amounts.others)];
  return cash === null || card === null || insurance === null || others === null
    ? null
    : { cash, card, insurance, others };
}
