/** Requests of the pages that have had no answer for a while. The screen says so, because nothing else there moves. */
import { create } from 'zustand';

/** Most answers come within a second, on a slow connection too. */
const patienceMs = 5000;

/** The number of such requests. */
export const useWaiting = create<{ count: number }>(() => ({ count: 0 }));

const change = (by: number): void => useWaiting.setState(({ count }) => ({ count: count + by }));

/** Counts a request from the end of the patience until its answer. */
export async function noticed<Answer>(request: Promise<Answer>): Promise<Answer> {
  let isCounted = false;
  const timer = setTimeout(() => {
    isCounted = true;
    change(1);
  }, patienceMs);
  try {
    return await request;
  } finally {
    clearTimeout(timer);
    if (isCounted) change(-1);
  }
}
