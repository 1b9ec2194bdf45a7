import { beforeEach, describe, expect, test, vi } from 'vitest';
import { stubLocalStorage } from '#tests/support/local-storage.ts';

const cleaning = { key: 's1', name: 'Cleaning', price_minor: 4500 };
const filling = { key: 's2', name: 'Filling', price_minor: 6000 };
const crown = { key: 'p1', name: 'Crown', price_minor: 35_000 };

const patient = { id: 'p1', name: 'Eva Rey', phone: '600', isKnown: true };
const treatment = { id: 'order-1', customerName: 'Ana Ruiz', notes: '' };

const storage = stubLocalStorage();

/** Loads the store as a new page would, with the content of local storage. */
async function load() {
  vi.resetModules();
  const { usePlan, currentDraft } = await import('#src/features/counter/plan-store.ts');
  const { isSaleInProgress } = await import('#src/features/counter/sale-in-progress.ts');
  const plan = () => usePlan.getState();
  return { plan, draft: () => currentDraft(plan()), busy: () => isSaleInProgress(plan()) };
}

beforeEach(() => storage.clear());

describe('plan store', () => {
  test('adds one line per service and counts repeated additions', async () => {
    const { plan, draft } = await load();
    for (const item of [cleaning, filling, cleaning]) plan().addService(item);
    expect(draft().lines.map(({ itemKey, quantity }) => [itemKey, quantity])).toEqual([
      ['s1', 2],
      ['s2', 1],
    ]);
  });

  test.each([
    [0, 1],
    [-3, 1],
    [2.7, 2],
    [5000, 999],
    [Number.NaN, 1],
  ])('stores a quantity of %d as %d', async (asked, kept) => {
    const { plan, draft } = await load();
    plan().addService(cleaning);
    plan().setQuantity('s1', asked);
    expect(draft().lines[0]?.quantity).toBe(kept);
  });

  test('restores a removed line in its position, with quantity and notes', async () => {
    const { plan, draft } = await load();
    for (const item of [cleaning, filling, crown]) plan().addService(item);
    plan().setQuantity('s2', 4);
    plan().setLineNotes('s2', 'lower left');
    const removed = plan().removeLine('s2');
    expect(draft().lines.map(({ itemKey }) => itemKey)).toEqual(['s1', 'p1']);
    plan().restoreLine(removed!);
    expect(draft().lines[1]).toMatchObject({ itemKey: 's2', quantity: 4, notes: 'lower left' });
  });

  test('restores a cleared plan before the services that were added since', async () => {
    const { plan, draft } = await load();
    for (const item of [cleaning, filling]) plan().addService(item);
    plan().setQuantity('s1', 3);
    const undo = plan().clearDraft();
    expect(draft().lines).toEqual([]);
    for (const item of [crown, cleaning]) plan().addService(item);
    undo!();
    expect(draft().lines.map(({ itemKey, quantity }) => [itemKey, quantity])).toEqual([
      ['s1', 3],
      ['s2', 1],
      ['p1', 1],
    ]);
  });

  test('merges a restored line with a line of the same service', async () => {
    const { plan, draft } = await load();
    plan().addService(cleaning);
    plan().setQuantity('s1', 3);
    const removed = plan().removeLine('s1');
    plan().addService(cleaning);
    plan().restoreLine(removed!);
    expect(draft().lines).toHaveLength(1);
    expect(draft().lines[0]?.quantity).toBe(4);
  });

  test('restores a removed line in its own draft, even when another draft is open', async () => {
    const { plan, draft } = await load();
    plan().addService(cleaning);
    const removed = plan().removeLine('s1');
    plan().editTreatment(treatment);
    plan().restoreLine(removed!);
    expect(draft().lines).toEqual([]);
    plan().closeDraft();
    expect(draft().lines).toHaveLength(1);
  });

  test('keeps customer, notes, mode, and the edited and paid treatments across a reload', async () => {
    const before = await load();
    before.plan().editTreatment(treatment);
    before.plan().addService(cleaning);
    before.plan().setCustomerName('Ana Ruiz Gil');
    before.plan().setNotes('anxious');
    before.plan().openPayment('order-2');
    const after = await load();
    expect(after.plan()).toMatchObject({ mode: 'payment', editingId: 'order-1', payingId: 'order-2' });
    expect(after.draft()).toMatchObject({
      lines: [{ itemKey: 's1', quantity: 1 }],
      customerName: 'Ana Ruiz Gil',
      notes: 'anxious',
    });
  });

  test('keeps the change due across a reload, and counts as a sale in progress until the change is given', async () => {
    const due = { changeMinor: 4000, tenderedMinor: 10_000, amountMinor: 6000, currency: 'EUR' };
    (await load()).plan().setChangeDue(due);
    const { plan, busy } = await load();
    expect(plan().changeDue).toEqual(due);
    expect(busy()).toBe(true);
    plan().setChangeDue(null);
    expect(busy()).toBe(false);
  });

  test('keeps a discount with the new plan: across a reload, and when its services are cleared and restored', async () => {
    const before = await load();
    before.plan().addService(cleaning);
    const discount = { kind: 'percent' as const, bps: 1000, reason: 'regular' };
    before.plan().setDiscount(discount);
    const { plan, draft } = await load();
    expect(draft().discount).toEqual(discount);
    plan().editTreatment(treatment);
    expect(draft().discount).toBeUndefined();
    plan().closeDraft();
    const undo = plan().clearDraft();
    expect(draft().discount).toBeUndefined();
    undo!();
    expect(draft()).toMatchObject({ lines: [{ itemKey: 's1' }], discount });
    plan().closeDraft();
    expect(draft().discount).toBeUndefined();
  });

  test('replaces a typed name by the patient, keeps the patient across a reload, and drops the patient with the plan', async () => {
    const before = await load();
    before.plan().addService(cleaning);
    before.plan().setCustomerName('Eva');
    before.plan().setPatient(patient);
    const { plan, draft } = await load();
    expect(draft()).toMatchObject({ patient, customerName: '', lines: [{ itemKey: 's1' }] });
    plan().editTreatment(treatment);
    expect(draft().patient).toBeUndefined();
    plan().closeDraft();
    plan().setPatient(undefined);
    expect(draft().patient).toBeUndefined();
    plan().setPatient(patient);
    plan().closeDraft();
    expect(draft().patient).toBeUndefined();
  });

  test('keeps the new plan apart from additions to a treatment, and returns to it when they close', async () => {
    const { plan, draft } = await load();
    plan().addService(cleaning);
    plan().editTreatment(treatment);
    expect(draft()).toEqual({ lines: [], customerName: 'Ana Ruiz', notes: '' });
    plan().addService(crown);
    plan().closeDraft();
    expect(draft().lines.map(({ itemKey }) => itemKey)).toEqual(['s1']);
    expect(plan().editingId).toBeNull();
  });

  test('resumes the additions of a treatment that is edited again', async () => {
    const { plan, draft } = await load();
    plan().editTreatment(treatment);
    plan().addService(crown);
    plan().editTreatment({ ...treatment, id: 'order-9' });
    plan().editTreatment(treatment);
    expect(draft().lines.map(({ itemKey }) => itemKey)).toEqual(['p1']);
  });

  test('counts as a sale in progress while a draft has services or a payment is open', async () => {
    const { plan, busy } = await load();
    expect(busy()).toBe(false);
    plan().editTreatment(treatment);
    expect(busy()).toBe(false);
    plan().addService(crown);
    expect(busy()).toBe(true);
    plan().closeDraft();
    expect(busy()).toBe(false);
    plan().openPayment('order-2');
    expect(busy()).toBe(true);
  });
});

describe('undo after a draft was closed', () => {
  test('does not bring the closed draft back', async () => {
    const { plan, busy } = await load();
    plan().editTreatment(treatment);
    plan().addService(cleaning);
    plan().addService(filling);
    const removed = plan().removeLine('s2')!;
    plan().closeDraft();
    plan().restoreLine(removed);
    expect(plan().drafts).toEqual({});
    expect(busy()).toBe(false);
  });

  test('brings additions back that somebody had stopped, and opens their treatment again', async () => {
    const { plan, draft } = await load();
    plan().addService(crown);
    plan().editTreatment(treatment);
    plan().addService(cleaning);
    plan().setNotes('upper left');
    const undo = plan().stopAdding();
    expect(plan().editingId).toBeNull();
    expect(draft().lines.map(({ itemKey }) => itemKey)).toEqual(['p1']);
    plan().openPayment('order-9');
    undo();
    expect(plan()).toMatchObject({ editingId: treatment.id, mode: 'create', payingId: null });
    expect(draft()).toMatchObject({ notes: 'upper left', lines: [{ itemKey: 's1' }] });
  });
});

describe('clearing the plan', () => {
  test('empties all of it, and restores all of it beside what was entered since', async () => {
    const { plan, draft } = await load();
    plan().addService(cleaning);
    plan().setPatient(patient);
    plan().setNotes('call first');
    plan().setRoom({ id: 4, number: '4' });
    plan().setDiscount({ kind: 'percent', bps: 500, reason: '' });
    const before = draft();
    const undo = plan().clearDraft()!;
    expect(draft()).toEqual({ lines: [], customerName: '', notes: '' });
    undo();
    expect(draft()).toEqual(before);
    const again = plan().clearDraft()!;
    plan().setCustomerName('Somebody else');
    again();
    expect(draft()).toMatchObject({ customerName: 'Somebody else', notes: 'call first', lines: [{ itemKey: 's1' }] });
    expect(draft().patient).toBeUndefined();
  });

  test('has nothing to undo when nothing was entered', async () => {
    const { plan } = await load();
    expect(plan().clearDraft()).toBeNull();
    plan().setNotes(' ');
    plan().setNotes('');
    expect(plan().clearDraft()).toBeNull();
  });
});
