import { setSelling } from '../../sync/activity.ts';
import { isSaleInProgress, usePlan } from './plan-store.ts';

/**
 * Says whether somebody is in the middle of something. Beside the drawing, as the first service of a plan must not draw the whole
 * screen for it; and a moment later, as between two steps of one sale it would seem to be over. @returns what ends it
 */
export function reportSaleInProgress(): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const tell = () => setSelling(isSaleInProgress(usePlan.getState()));
  tell();
  const stop = usePlan.subscribe(() => {
    clearTimeout(timer);
    timer = setTimeout(tell);
  });
  return () => {
    stop();
    clearTimeout(timer);
    setSelling(false);
  };
}
