/**
 * The state of the counter: the plans being built, the treatment being paid, and the mode. It is not clinic data yet,
 * so it is kept in local storage, where it survives a reload.
 *
 * Each treatment that services are being added to has its own draft, beside the draft of the new treatment, so that
 * the additions never mix with a plan that somebody had already begun.
 */
import { create } from 'zustand';
import { persist } from 'zustand/middleware';
import type { PlanDiscount } from '#domain/order/discount.ts';
import type { PlannedPatient } from '#src/db/commands/patients.ts';

export type CounterMode = 'create' | 'payment';

/** One service of a plan. Name and price are those last seen; the catalogue's current ones take precedence. */
export interface PlanLine {
  itemKey: string;
  name: string;
  priceMinor: number;
  quantity: number;
  notes: string;
}

export interface PlanRoom {
  id: number;
  number: string;
}

export interface ChangeDue {
  changeMinor: number;
  tenderedMinor: number;
  amountMinor: number;
  currency: string;
}

export interface Draft {
  lines: PlanLine[];
  /** A name that somebody confirmed without a patient behind it. */
  customerName: string;
  /** The patient that was looked up; `customerName` is then empty. */
  patient?: PlannedPatient | undefined;
  /** What is typed to find a patient. It names nobody, so no treatment carries it. */
  patientSearch?: string | undefined;
  notes: string;
  room?: PlanRoom | undefined;
  /** Discount of a new treatment; services added later carry none. */
  discount?: PlanDiscount | undefined;
}

/** A removed line with its draft and position, for the undo. */
export interface RemovedLine {
  draftId: string;
  line: PlanLine;
  index: number;
}

interface PlanContent {
  mode: CounterMode;
  drafts: Record<string, Draft>;
  /** The treatment that services are being added to; null while the plan is for a new treatment. */
  editingId: string | null;
  payingId: string | null;
  /** Change for the last customer, until somebody confirms that it was given. */
  changeDue: ChangeDue | null;
}

export interface PlanState extends PlanContent {
  addService: (item: { key: string; name: string; price_minor: number }) => void;
  /** Clamps the quantity to 1 or more: `removeLine` removes, because only that can be undone. */
  setQuantity: (itemKey: string, quantity: number) => void;
  setLineNotes: (itemKey: string, notes: string) => void;
  removeLine: (itemKey: string) => RemovedLine | null;
  restoreLine: (removed: RemovedLine) => void;
  /** Confirms a name without a patient. */
  setCustomerName: (customerName: string) => void;
  setPatient: (patient: PlannedPatient | undefined) => void;
  /** Looks for a patient, in place of the chosen one. */
  searchPatient: (patientSearch: string) => void;
  setNotes: (notes: string) => void;
  setRoom: (room: PlanRoom | undefined) => void;
  setDiscount: (discount: PlanDiscount | undefined) => void;
  setMode: (mode: CounterMode) => void;
  /** Starts or resumes adding services to a treatment. */
  editTreatment: (order: { id: string; customerName: string; notes: string }) => void;
  /** Discards the current draft and returns to the plan of the new treatment. */
  closeDraft: () => void;
  /** Empties the plan of the new treatment. Returns a function that restores it; null if there was nothing. */
  clearDraft: () => (() => void) | null;
  /** Discards the additions to a treatment and returns to the plan of the new one. Returns a function that restores them. */
  stopAdding: () => () => void;
  openPayment: (orderId: string) => void;
  closePayment: () => void;
  setChangeDue: (changeDue: ChangeDue | null) => void;
}

const maximumQuantity = 999;
const newPlan = 'new';
const emptyDraft: Draft = { lines: [], customerName: '', notes: '' };
const nobody = { customerName: '', patient: undefined, patientSearch: undefined };

export const currentDraft = ({ drafts, editingId }: Pick<PlanContent, 'drafts' | 'editingId'>): Draft =>
  drafts[editingId ?? newPlan] ?? emptyDraft;

const clampQuantity = (quantity: number): number => Math.min(maximumQuantity, Math.max(1, Math.trunc(quantity) || 1));

const updateLine = (lines: PlanLine[], itemKey: string, change: (line: PlanLine) => PlanLine): PlanLine[] =>
  lines.map((line) => (line.itemKey === itemKey ? change(line) : line));

const addQuantity = (line: PlanLine, more: number): PlanLine => ({
  ...line,
  quantity: clampQuantity(line.quantity + more),
});

const omitDraft = (drafts: Record<string, Draft>, id: string): Record<string, Draft> =>
  Object.fromEntries(Object.entries(drafts).filter(([key]) => key !== id));

const isNotIn =
  (lines: readonly PlanLine[]) =>
  (line: PlanLine): boolean =>
    !lines.some((other) => other.itemKey === line.itemKey);

const isBegun = ({ lines, customerName, patient, patientSearch, notes, room, discount }: Draft): boolean =>
  lines.length > 0 || Boolean(customerName || patient || patientSearch || notes || room || discount);

/** Restores a draft beside what was planned since; where both say something, the newer holds. */
const merge = (before: Draft, now: Draft): Draft => {
  const isNamed = Boolean(now.customerName || now.patient || now.patientSearch);
  return {
    lines: [...before.lines, ...now.lines.filter(isNotIn(before.lines))],
    customerName: isNamed ? now.customerName : before.customerName,
    patient: isNamed ? now.patient : before.patient,
    patientSearch: isNamed ? now.patientSearch : before.patientSearch,
    notes: now.notes || before.notes,
    room: now.room ?? before.room,
    discount: now.discount ?? before.discount,
  };
};

export const usePlan = create<PlanState>()(
  persist(
    (set, get) => {
      const change = (changed: (draft: Draft) => Partial<Draft>, id = get().editingId ?? newPlan) =>
        set(({ drafts }) => {
          const draft = drafts[id] ?? (id === newPlan ? emptyDraft : null);
          // An undo must not bring back a draft of additions that was closed meanwhile.
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
              ? updateLine(lines, key, (line) => addQuantity(line, 1))
              : [...lines, { itemKey: key, name, priceMinor: price_minor, quantity: 1, notes: '' }],
          })),
        setQuantity: (itemKey, quantity) =>
          change(({ lines }) => ({
            lines: updateLine(lines, itemKey, (line) => ({ ...line, quantity: clampQuantity(quantity) })),
          })),
        setLineNotes: (itemKey, notes) =>
          change(({ lines }) => ({ lines: updateLine(lines, itemKey, (line) => ({ ...line, notes })) })),
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
            // The service was added again meanwhile: the removed quantity is added to that line.
            if (lines.some((other) => other.itemKey === line.itemKey)) {
              return { lines: updateLine(lines, line.itemKey, (other) => addQuantity(other, line.quantity)) };
            }
            return { lines: [...lines.slice(0, index), line, ...lines.slice(index)] };
          }, draftId),
        setCustomerName: (customerName) => change(() => ({ ...nobody, customerName: customerName.trim() })),
        setPatient: (patient) => change(() => ({ ...nobody, patient })),
        searchPatient: (patientSearch) => change(() => ({ ...nobody, patientSearch })),
        setNotes: (notes) => change(() => ({ notes })),
        setRoom: (room) => change(() => ({ room })),
        setDiscount: (discount) => change(() => ({ discount })),
        setMode: (mode) => set({ mode }),
        editTreatment: ({ id, customerName, notes }) =>
          set(({ drafts }) => ({
            drafts: { ...drafts, [id]: drafts[id] ?? { lines: [], customerName, notes } },
            editingId: id,
            payingId: null,
            mode: 'create',
          })),
        closeDraft: () =>
          set(({ drafts, editingId }) => ({ drafts: omitDraft(drafts, editingId ?? newPlan), editingId: null })),
        clearDraft: () => {
          const { [newPlan]: before, ...others } = get().drafts;
          if (!before || !isBegun(before)) return null;
          set({ drafts: others });
          return () => change((now) => merge(before, now), newPlan);
        },
        stopAdding: () => {
          const { drafts, editingId } = get();
          const before = currentDraft({ drafts, editingId });
          get().closeDraft();
          return () => {
            if (editingId === null) return;
            set((now) => ({
              drafts: { ...now.drafts, [editingId]: merge(before, now.drafts[editingId] ?? emptyDraft) },
              editingId,
              payingId: null,
              mode: 'create',
            }));
          };
        },
        openPayment: (orderId) => set({ payingId: orderId, mode: 'payment' }),
        closePayment: () => set({ payingId: null }),
        setChangeDue: (changeDue) => set({ changeDue }),
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
