/**
 * Long calculations in stretches, between which other requests of the process have their turn. While somebody waits for a
 * sale, none begins its next stretch: each answer of the database that the sale needs would wait for it.
 */
import { setImmediate as turn } from 'node:timers/promises';
import { keepWork } from './loop-watch.ts';

const stretchMs = 4;
/** How long a stretch waits at most for the sales of the process. */
const patienceMs = 100;

/** The requests in work that somebody at a counter waits for, and what goes on when there is none. */
let urgent = 0;
const resting = new Set<() => void>();

/** Notes that a request is in work that somebody waits for. Returns a function that ends it; call it once. */
export function beginUrgent(): () => void {
  urgent += 1;
  return () => {
    urgent -= 1;
    if (urgent === 0) for (const goOn of resting) goOn();
  };
}

/** Resolves when nobody waits for a sale, or when patience is over. */
function calm(): Promise<void> {
  return new Promise((resolve) => {
    const goOn = (): void => {
      clearTimeout(timer);
      resting.delete(goOn);
      resolve();
    };
    const timer = setTimeout(goOn, patienceMs);
    resting.add(goOn);
  });
}

/** Passes the items on, and pauses between two of them whenever a stretch is over. */
export async function* inTurns<T>(items: Iterable<T>): AsyncGenerator<T> {
  let since = performance.now();
  for (const item of items) {
    if (performance.now() - since > stretchMs) {
      await keepWork(turn().then(() => (urgent > 0 ? calm() : undefined)));
      since = performance.now();
    }
    yield item;
  }
}
