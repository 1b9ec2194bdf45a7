import { setSelling } from '#src/sync/activity.ts';
import { usePlan } from './plan-store.ts';
import type { PlanState } from './plan-store.ts';

/** Returns true while a reload or an app update would interrupt somebody at the counter. */
export const isSaleInProgress = ({
  drafts,
  payingId,
  changeDue,
}: Pick<PlanState, 'drafts' | 'payingId' | 'changeDue'>): boolean =>
  payingId !== null || changeDue !== null || Object.values(drafts).some(({ lines }) => lines.length > 0);

/**
 * Reports to the app whether a sale is in progress, and returns a function that ends the reporting. A subscription does
 * this without rendering the screen. Each report waits one task, because between two steps of a sale the plan is empty
 * for a moment.
 */
export function reportSaleInProgress(): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const report = () => setSelling(isSaleInProgress(usePlan.getState()));
  report();
  const unsubscribe = usePlan.subscribe(() => {
    clearTimeout(timer);
    timer = setTimeout(report);
  });
  return () => {
    unsubscribe();
    clearTimeout(timer);
    setSelling(false);
  };
}
