/**
 * Waits for a random time between two bounds in milliseconds, or until the signal ends the wait. Without the jitter all
 * tablets of a clinic would call at once after the server has failed.
 */
export function pause([leastMs, mostMs]: readonly [number, number], signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve();
    const done = () => {
      clearTimeout(timer);
      signal.removeEventListener('abort', done);
      resolve();
    };
    const timer = setTimeout(done, leastMs + Math.random() * (mostMs - leastMs));
    signal.addEventListener('abort', done);
  });
}
