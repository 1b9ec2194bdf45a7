import { useRef, useState } from 'react';

/** Sooner than this nobody sees that a button waits, and to draw it would cost as much as a sale. */
const noticedMs = 150;

/** Runs one work at a time: what is asked for meanwhile is dropped. `pending` is true of work that lasts. */
export function useOnce(): { pending: boolean; once: (work: () => Promise<void>) => Promise<void> } {
  const [pending, setPending] = useState(false);
  // Two taps in one frame both see the old state; the reference does not wait for a render.
  const running = useRef(false);

  async function once(work: () => Promise<void>): Promise<void> {
    if (running.current) return;
    running.current = true;
    const noticed = setTimeout(() => setPending(true), noticedMs);
    try {
      await work();
    } finally {
      clearTimeout(noticed);
      running.current = false;
      setPending(false);
    }
  }

  return { pending, once };
}
