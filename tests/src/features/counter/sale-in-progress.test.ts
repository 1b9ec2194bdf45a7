import { expect, test } from 'vitest';
import { stubLocalStorage } from '#tests/support/local-storage.ts';

stubLocalStorage();
const { isBusy, useActivity } = await import('#src/sync/activity.ts');
const { usePlan } = await import('#src/features/counter/plan-store.ts');
const { reportSaleInProgress } = await import('#src/features/counter/sale-in-progress.ts');

const later = () => new Promise((end) => setTimeout(end, 5));

test('reports a sale as in progress from the first service until the change is given', async () => {
  const reported: boolean[] = [];
  const end = reportSaleInProgress();
  useActivity.subscribe((activity) => reported.push(isBusy(activity)));
  const plan = usePlan.getState();

  plan.addService({ key: 's1', name: 'Cleaning', price_minor: 4500 });
  await later();
  // The plan becomes a treatment, and its payment opens.
  plan.closeDraft();
  plan.openPayment('order-1');
  await later();
  // The treatment is paid, and change is due.
  plan.closePayment();
  plan.setMode('create');
  plan.setChangeDue({ changeMinor: 500, tenderedMinor: 5000, amountMinor: 4500, currency: 'EUR' });
  await later();
  expect(reported).not.toContain(false);

  plan.setChangeDue(null);
  await later();
  expect(reported.at(-1)).toBe(false);
  end();
});
