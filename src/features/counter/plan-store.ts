/**
 * What the counter is in the middle of: the plans being built, the treatment being paid, and the mode. It is no data of
 * the clinic yet, so it lives outside the database, and it survives a reload.
 *
 * Every treatment that is being added to has a draft of its own, beside the one of the new treatment, so that adding a
 * service to an open treatment never mixes it with a plan that was already under way.
 */
import { create } from 'zustand';
import { persist } from 'zustand/middleware';
import type { PlanDiscount } from '../../../domain/order/discount.ts';
import type { PlannedPatient } from '../../db/commands/patients.ts';

export type CounterMode = 'create' | 'payment';

/** One service of a plan. Name and price are as last seen; the catalogue's present ones win where it has them. */
export interface PlanLine {
  itemKey: string;
  name: string;
  priceMinor: number;
  quantity: number;
  notes: string;
}

/** A room, and what it is called. */
export interface PlanRoom {
  id: number;
  number: string;
}

/** What a customer gets back of what was handed over. */
export interface ChangeDue {
  changeMinor: number;
  tenderedMinor: number;
  amountMinor: number;
  currency: string;
}

export interface Draft {
  lines: PlanLine[];
  customerName: string;
  /** Who was looked up; then no name is typed. */
  patient?: PlannedPatient | undefined;
  notes: string;
  /** Where it happens. */
  room?: PlanRoom | undefined;
  /** Of a new treatment alone: what is added later is not discounted. */
  discount?: PlanDiscount | undefined;
}

/** Enough to put a line back exactly, into the draft that it was taken from. */
export interface RemovedLine {
  draftId: string;
  line: PlanLine;
  index: number;
}

interface PlanContent {
  mode: CounterMode;
  drafts: Record<string, Draft>;
  /** The treatment that services are being added to; null while the plan is for a new one. */
  editingId: string | null;
  /** The treatment whose payment details are open. */
  payingId: string | null;
  /** What the last customer is still owed, until somebody says that it is done: whoever stands at the counter then. */
  changeDue: ChangeDue | null;
}

export interface PlanState extends PlanContent {
  addService: (item: { key: string; name: string; price_minor: number }) => void;
  /** A quantity below 1 is not set: removing is a step of its own, which can be undone. */
  setQuantity: (itemKey: string, quantity: number) => void;
  setLineNotes: (itemKey: string, notes: string) => void;
  removeLine: (itemKey: string) => RemovedLine | null;
  restoreLine: (removed: RemovedLine) => void;
  setCustomerName: (customerName: string) => void;
  setPatient: (patient: PlannedPatient | undefined) => void;
  setNotes: (notes: string) => void;
  setRoom: (room: PlanRoom | undefined) => void;
  setDiscount: (discount: PlanDiscount | undefined) => void;
  setMode: (mode: CounterMode) => void;
  /** Starts or resumes adding services to a treatment. */
  edit: (order: { id: string; customerName: string; notes: string }) => void;
  /** Drops the present draft; the plan of a new treatment, if one was under way, comes back. */
  finishDraft: () => void;
  /** Takes all services, and the discount on them, out of the present draft. Returns what puts them back. */
  emptyPlan: () => () => void;
  pay: (orderId: string | null) => void;
  owe: (changeDue: ChangeDue | null) => void;
}

const maximumQuantity = 999;
const newPlan = 'new';
const emptyDraft: Draft = { lines: [], customerName: '', notes: '' };

export const currentDraft = ({ drafts, editingId }: Pick<PlanContent, 'drafts' | 'editingId'>): Draft =>
  drafts[editingId ?? newPlan] ?? emptyDraft;

/** True while leaving or updating the app would interrupt somebody. */
export const isSaleInProgress = ({
  drafts,
  payingId,
  changeDue,
}: Pick<PlanContent, 'drafts' | 'payingId' | 'changeDue'>): boolean =>
  payingId !== null || changeDue !== null || Object.values(drafts).some(({ lines }) => lines.length > 0);

const bounded = (quantity: number): number => Math.min(maximumQuantity, Math.max(1, Math.trunc(quantity) || 1));

const withLine = (lines: PlanLine[], itemKey: string, change: (line: PlanLine) => PlanLine): PlanLine[] =>
  lines.map((line) => (line.itemKey === itemKey ? change(line) : line));

const without = (drafts: Record<string, Draft>, id: string): Record<string, Draft> =>
  Object.fromEntries(Object.entries(drafts).filter(([key]) => key !== id));

const counted = (line: PlanLine, more: number): PlanLine => ({ ...line, quantity: bounded(line.quantity + more) });

const isNotIn =
  (lines: readonly PlanLine[]) =>
  (line: PlanLine): boolean =>
    !lines.some((other) => other.itemKey === line.itemKey);

export const usePlan = create<PlanState>()(
  persist(
    (set, get) => {
      const change = (changed: (draft: Draft) => Partial<Draft>, id = get().editingId ?? newPlan) =>
        set(({ drafts }) => {
          const draft = drafts[id] ?? (id === newPlan ? emptyDraft : null);
          // Additions to a treatment that have ended meanwhile take nothing back.
          return draft ? { drafts: { ...drafts, [id]: { ...draft, ...changed(draft) } } } : {};
        });
      return {
        mode: 'create',
        drafts: {},
        editingId: null,
        payingId: null,
        changeDue: null,
        addService: ({ key, name, price_minor }) =>
          change(({ lines }) => ({
            lines: lines.some((line) => line.itemKey === key)
              ? withLine(lines, key, (line) => counted(line, 1))
              : [...lines, { itemKey: key, name, priceMinor: price_minor, quantity: 1, notes: '' }],
          })),
        setQuantity: (itemKey, quantity) =>
          change(({ lines }) => ({
            lines: withLine(lines, itemKey, (line) => ({ ...line, quantity: bounded(quantity) })),
          })),
        setLineNotes: (itemKey, notes) =>
          change(({ lines }) => ({ lines: withLine(lines, itemKey, (line) => ({ ...line, notes })) })),
        removeLine: (itemKey) => {
          const draftId = get().editingId ?? newPlan;
          const { lines } = currentDraft(get());
          const index = lines.findIndex((line) => line.itemKey === itemKey);
          const line = lines[index];
          if (!line) return null;
          change(() => ({ lines: lines.filter((other) => other !== line) }));
          return { draftId, line, index };
        },
        restoreLine: ({ draftId, line, index }) =>
          change(({ lines }) => {
            // Added again in the meantime: the removed quantity joins it.
            if (lines.some((other) => other.itemKey === line.itemKey)) {
              return { lines: withLine(lines, line.itemKey, (other) => counted(other, line.quantity)) };
            }
            return { lines: [...lines.slice(0, index), line, ...lines.slice(index)] };
          }, draftId),
        setCustomerName: (customerName) => change(() => ({ customerName })),
        setPatient: (patient) => change(() => ({ patient, customerName: '' })),
        setNotes: (notes) => change(() => ({ notes })),
        setRoom: (room) => change(() => ({ room })),
        setDiscount: (discount) => change(() => ({ discount })),
        setMode: (mode) => set({ mode }),
        edit: ({ id, customerName, notes }) =>
          set(({ drafts }) => ({
            drafts: { ...drafts, [id]: drafts[id] ?? { lines: [], customerName, notes } },
            editingId: id,
            payingId: null,
            mode: 'create',
          })),
        finishDraft: () =>
          set(({ drafts, editingId }) => ({ drafts: without(drafts, editingId ?? newPlan), editingId: null })),
        emptyPlan: () => {
          const draftId = get().editingId ?? newPlan;
          const { lines: before, discount } = currentDraft(get());
          change(() => ({ lines: [], discount: undefined }));
          return () =>
            change(({ lines }) => ({ lines: [...before, ...lines.filter(isNotIn(before))], discount }), draftId);
        },
        pay: (orderId) => set(orderId === null ? { payingId: null } : { payingId: orderId, mode: 'payment' }),
        owe: (changeDue) => set({ changeDue }),
      };
    },
    {
      name: 'counter-plan',
      version: 1,
      partialize: ({ mode, drafts, editingId, payingId, changeDue }): PlanContent => ({
        mode,
        drafts,
        editingId,
        payingId,
        changeDue,
      }),
    },
  ),
);
