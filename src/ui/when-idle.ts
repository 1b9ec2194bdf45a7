/** For what nobody waits for yet: it lets go first whatever the person is waiting for now. */
export function whenIdle(work: () => void): void {
  if ('requestIdleCallback' in globalThis) requestIdleCallback(work);
  else setTimeout(work, 500);
}
