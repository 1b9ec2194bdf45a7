/** Runs work that nobody waits for as soon as the browser is idle. */
export function whenIdle(work: () => void): void {
  if ('requestIdleCallback' in globalThis) requestIdleCallback(work);
  else setTimeout(work, 500);
}
