/** A count that is under way. It survives a reload, and is given up with the drawer that it counts. */
import { create } from 'zustand';
import { persist } from 'zustand/middleware';
import type { ByMethod } from '../../../domain/drawer/drawer.ts';
import type { PaymentMethod } from '../../../domain/order/vocabulary.ts';
import { amountMinor, amountText } from '../../tender/keypad.ts';

export interface CountDraft {
  /** The drawer that is counted; null while none is. */
  drawerId: string | null;
  /** The amounts as typed. */
  amounts: Record<PaymentMethod, string>;
  /** By denomination in minor units, how many as typed; null while the cash is entered as a sum. */
  pieces: Record<string, string> | null;
  notes: string;
}

interface CountState extends CountDraft {
  begin: (drawerId: string) => void;
  setAmount: (method: PaymentMethod, text: string) => void;
  setNotes: (notes: string) => void;
  countPieces: (isCounting: boolean) => void;
  setPieces: (denomination: number, text: string) => void;
  giveUp: () => void;
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
      begin: (drawerId) => set((count) => (count.drawerId === drawerId ? {} : { ...blank, drawerId })),
      setAmount: (method, text) => set(({ amounts }) => ({ amounts: { ...amounts, [method]: text } })),
      setNotes: (notes) => set({ notes }),
      countPieces: (isCounting) => set({ pieces: isCounting ? {} : null }),
      setPieces: (denomination, text) =>
        set(({ pieces, amounts }) => {
          const counted = { ...pieces, [denomination]: text };
          return { pieces: counted, amounts: { ...amounts, cash: amountText(piecesMinor(counted)) } };
        }),
      giveUp: () => set(blank),
    }),
    { name: 'drawer-count' },
  ),
);

/** What the pieces come to in minor units; what is no whole number of them counts as none. */
function piecesMinor(pieces: Record<string, string>): number {
  return Object.entries(pieces).reduce((sum, [denomination, text]) => {
    const count = /^\d{1,6}$/.test(text.trim()) ? Number(text) : 0;
    return sum + Number(denomination) * count;
  }, 0);
}

/** The amounts in minor units; null while one is missing. Cash must be entered, the others count as nothing when empty. */
export function countedMinor({ amounts }: Pick<CountDraft, 'amounts'>): ByMethod | null {
  const read = (text: string) => (text.trim() === '' ? 0 : amountMinor(text));
  const cash = amountMinor(amounts.cash);
  const [card, insurance, others] = [read(amounts.card), read(amounts.insurance), read(amounts.others)];
  return cash === null || card === null || insurance === null || others === null
    ? null
    : { cash, card, insurance, others };
}
