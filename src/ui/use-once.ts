import { useRef, useState } from 'react';

/** People do not notice a button that is disabled for a shorter time, and rendering one takes as long as a sale. */
const noticedMs = 150;

/**
 * Runs one task at a time and drops calls made meanwhile, so that a second tap does nothing. `pending` becomes true
 * when a task takes long enough to be noticed.
 */
export function useOnce(): {
  pending: boolean;
  /** @returns the task's result; undefined if the call was dropped */
  once: <Output>(task: () => Promise<Output>) => Promise<Output | undefined>;
} {
  const [pending, setPending] = useState(false);
  // Two taps in one frame both see the old state, but a reference changes at once.
  const running = useRef(false);

  async function once<Output>(task: () => Promise<Output>): Promise<Output | undefined> {
    if (running.current) return undefined;
    running.current = true;
    const noticed = setTimeout(() => setPending(true), noticedMs);
    try {
      return await task();
    } finally {
      clearTimeout(noticed);
      running.current = false;
      setPending(false);
    }
  }

  return { pending, once };
}
