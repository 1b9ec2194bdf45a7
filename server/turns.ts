/** Long calculations in stretches, between which other requests of the process have their turn. */
import { setImmediate as turn } from 'node:timers/promises';

const stretchMs = 10;

/** Passes the items on, and pauses between two of them whenever a stretch is over. */
export async function* inTurns<T>(items: Iterable<T>): AsyncGenerator<T> {
  let since = performance.now();
  for (const item of items) {
    if (performance.now() - since > stretchMs) {
      await turn();
      since = performance.now();
    }
    yield item;
  }
}
