import { expect, test } from 'vitest';
import { stubLocalStorage } from '../../../support/local-storage.ts';

stubLocalStorage();
const { isBusy, useActivity } = await import('../../../../src/sync/activity.ts');
const { usePlan } = await import('../../../../src/features/counter/plan-store.ts');
const { reportSaleInProgress } = await import('../../../../src/features/counter/sale-in-progress.ts');

const later = () => new Promise((end) => setTimeout(end, 5));

test('a sale seems at no moment to be over before it is, and an update does not take the page away', async () => {
  const told: boolean[] = [];
  const end = reportSaleInProgress();
  useActivity.subscribe((activity) => told.push(isBusy(activity)));
  const plan = usePlan.getState();

  plan.addService({ key: 's1', name: 'Cleaning', price_minor: 4500 });
  await later();
  // The plan becomes a treatment, and that is paid at once.
  plan.finishDraft();
  plan.pay('order-1');
  await later();
  // It is paid, and the customer is owed change.
  plan.pay(null);
  plan.setMode('create');
  plan.owe({ changeMinor: 500, tenderedMinor: 5000, amountMinor: 4500, currency: 'EUR' });
  await later();
  expect(told).not.toContain(false);

  plan.owe(null);
  await later();
  expect(told.at(-1)).toBe(false);
  end();
});
