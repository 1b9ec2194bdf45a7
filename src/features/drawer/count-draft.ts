/** The count of a drawer in progress. It survives a reload. */
import { create } from 'zustand';
import { persist } from 'zustand/middleware';
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
          return { pieces: counted, amounts: { ...amounts, cash: amountText(piecesMinor(counted)) } };
        }),
      discard: () => set(blank),
    }),
    { name: 'drawer-count' },
  ),
);

/** Returns the value of the pieces in minor units. A number that is not whole counts as 0. */
export function piecesMinor(pieces: Readonly<Record<string, string>>): number {
  return Object.entries(pieces).reduce((sum, [denomination, text]) => {
    const count = /^\d{1,6}$/.test(text.trim()) ? Number(text) : 0;
    return sum + Number(denomination) * count;
  }, 0);
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
