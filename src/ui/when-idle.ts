/** A page that is never idle registers its worker all the same. */
const mostMs = 5000;

/** Resolves when the browser has nothing else to do, after five seconds at the latest. */
export const idle = () =>
  new Promise<void>((resolve) => {
    if ('requestIdleCallback' in globalThis) requestIdleCallback(() => resolve(), { timeout: mostMs });
    else setTimeout(resolve, 500);
  });

/** Loads code that nobody waits for, each part when the browser is idle: a tap or key never waits for all of it. */
export async function loadWhenIdle(loads: readonly (() => Promise<unknown>)[]): Promise<void> {
  for (const load of loads) {
    await idle();
    // Code that fails to load here is requested again when it is needed.
    await load().catch(() => undefined);
  }
}
