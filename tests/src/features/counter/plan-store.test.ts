import { beforeEach, describe, expect, test, vi } from 'vitest';
import { stubLocalStorage } from '../../../support/local-storage.ts';

const cleaning = { key: 's1', name: 'Cleaning', price_minor: 4500 };
const filling = { key: 's2', name: 'Filling', price_minor: 6000 };
const crown = { key: 'p1', name: 'Crown', price_minor: 35_000 };

const patient = { id: 'p1', name: 'Eva Rey', phone: '600', isKnown: true };
const treatment = { id: 'order-1', customerName: 'Ana Ruiz', notes: '' };

const storage = stubLocalStorage();

/** The store as a freshly loaded page has it, with whatever the browser has kept. */
async function load() {
  vi.resetModules();
  const { usePlan, currentDraft, isSaleInProgress } = await import('../../../../src/features/counter/plan-store.ts');
  const plan = () => usePlan.getState();
  return { plan, draft: () => currentDraft(plan()), busy: () => isSaleInProgress(plan()) };
}

beforeEach(() => storage.clear());

describe('the plan', () => {
  test('adds a service once and then counts it up', async () => {
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
  ])('a quantity of %d becomes %d', async (asked, kept) => {
    const { plan, draft } = await load();
    plan().addService(cleaning);
    plan().setQuantity('s1', asked);
    expect(draft().lines[0]?.quantity).toBe(kept);
  });

  test('puts a removed line back where it was, with quantity and notes', async () => {
    const { plan, draft } = await load();
    for (const item of [cleaning, filling, crown]) plan().addService(item);
    plan().setQuantity('s2', 4);
    plan().setLineNotes('s2', 'lower left');
    const removed = plan().removeLine('s2');
    expect(draft().lines.map(({ itemKey }) => itemKey)).toEqual(['s1', 'p1']);
    plan().restoreLine(removed!);
    expect(draft().lines[1]).toMatchObject({ itemKey: 's2', quantity: 4, notes: 'lower left' });
  });

  test('an emptied plan can be put back, before what was added since', async () => {
    const { plan, draft } = await load();
    for (const item of [cleaning, filling]) plan().addService(item);
    plan().setQuantity('s1', 3);
    const undo = plan().emptyPlan();
    expect(draft().lines).toEqual([]);
    for (const item of [crown, cleaning]) plan().addService(item);
    undo();
    expect(draft().lines.map(({ itemKey, quantity }) => [itemKey, quantity])).toEqual([
      ['s1', 3],
      ['s2', 1],
      ['p1', 1],
    ]);
  });

  test('a removed line joins one that was added again', async () => {
    const { plan, draft } = await load();
    plan().addService(cleaning);
    plan().setQuantity('s1', 3);
    const removed = plan().removeLine('s1');
    plan().addService(cleaning);
    plan().restoreLine(removed!);
    expect(draft().lines).toHaveLength(1);
    expect(draft().lines[0]?.quantity).toBe(4);
  });

  test('a removed line returns to the draft it came from, whatever is open by then', async () => {
    const { plan, draft } = await load();
    plan().addService(cleaning);
    const removed = plan().removeLine('s1');
    plan().edit(treatment);
    plan().restoreLine(removed!);
    expect(draft().lines).toEqual([]);
    plan().finishDraft();
    expect(draft().lines).toHaveLength(1);
  });

  test('survives a reload with customer, notes, mode, the treatment being edited and the one being paid', async () => {
    const before = await load();
    before.plan().edit(treatment);
    before.plan().addService(cleaning);
    before.plan().setCustomerName('Ana Ruiz Gil');
    before.plan().setNotes('anxious');
    before.plan().pay('order-2');
    const after = await load();
    expect(after.plan()).toMatchObject({ mode: 'payment', editingId: 'order-1', payingId: 'order-2' });
    expect(after.draft()).toMatchObject({
      lines: [{ itemKey: 's1', quantity: 1 }],
      customerName: 'Ana Ruiz Gil',
      notes: 'anxious',
    });
  });

  test('the change that somebody is still owed survives a reload, and is under way until it is given', async () => {
    const due = { changeMinor: 4000, tenderedMinor: 10_000, amountMinor: 6000, currency: 'EUR' };
    (await load()).plan().owe(due);
    const { plan, busy } = await load();
    expect(plan().changeDue).toEqual(due);
    expect(busy()).toBe(true);
    plan().owe(null);
    expect(busy()).toBe(false);
  });

  test('a discount is the new plan’s: it survives a reload, goes with the services, and comes back with them', async () => {
    const before = await load();
    before.plan().addService(cleaning);
    const discount = { kind: 'percent' as const, bps: 1000, reason: 'regular' };
    before.plan().setDiscount(discount);
    const { plan, draft } = await load();
    expect(draft().discount).toEqual(discount);
    plan().edit(treatment);
    expect(draft().discount).toBeUndefined();
    plan().finishDraft();
    const undo = plan().emptyPlan();
    expect(draft().discount).toBeUndefined();
    undo();
    expect(draft()).toMatchObject({ lines: [{ itemKey: 's1' }], discount });
    plan().finishDraft();
    expect(draft().discount).toBeUndefined();
  });

  test('a patient who is looked up takes the place of a typed name, survives a reload, and leaves with the plan', async () => {
    const before = await load();
    before.plan().addService(cleaning);
    before.plan().setCustomerName('Eva');
    before.plan().setPatient(patient);
    const { plan, draft } = await load();
    expect(draft()).toMatchObject({ patient, customerName: '', lines: [{ itemKey: 's1' }] });
    plan().edit(treatment);
    expect(draft().patient).toBeUndefined();
    plan().finishDraft();
    plan().setPatient(undefined);
    expect(draft().patient).toBeUndefined();
    plan().setPatient(patient);
    plan().finishDraft();
    expect(draft().patient).toBeUndefined();
  });

  test('adding to an open treatment leaves the new plan alone, and finishing brings it back', async () => {
    const { plan, draft } = await load();
    plan().addService(cleaning);
    plan().edit(treatment);
    expect(draft()).toEqual({ lines: [], customerName: 'Ana Ruiz', notes: '' });
    plan().addService(crown);
    plan().finishDraft();
    expect(draft().lines.map(({ itemKey }) => itemKey)).toEqual(['s1']);
    expect(plan().editingId).toBeNull();
  });

  test('a treatment that is opened again still has what was about to be added', async () => {
    const { plan, draft } = await load();
    plan().edit(treatment);
    plan().addService(crown);
    plan().edit({ ...treatment, id: 'order-9' });
    plan().edit(treatment);
    expect(draft().lines.map(({ itemKey }) => itemKey)).toEqual(['p1']);
  });

  test('somebody is busy while any draft has services or a payment is open', async () => {
    const { plan, busy } = await load();
    expect(busy()).toBe(false);
    plan().edit(treatment);
    expect(busy()).toBe(false);
    plan().addService(crown);
    expect(busy()).toBe(true);
    plan().finishDraft();
    expect(busy()).toBe(false);
    plan().pay('order-2');
    expect(busy()).toBe(true);
  });
});

describe('what is taken back too late', () => {
  test('does not come back into additions that have ended', async () => {
    const { plan, busy } = await load();
    plan().edit(treatment);
    plan().addService(cleaning);
    plan().addService(filling);
    const removed = plan().removeLine('s2')!;
    const undo = plan().emptyPlan();
    plan().finishDraft();
    plan().restoreLine(removed);
    undo();
    expect(plan().drafts).toEqual({});
    expect(busy()).toBe(false);
  });
});
