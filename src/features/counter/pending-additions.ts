/** Additions to the plan that are still being looked up: a save waits for them, so that it misses no scanned service. */
let pending: Promise<unknown> = Promise.resolve();

export function trackAddition(addition: Promise<void>): void {
  pending = Promise.allSettled([pending, addition]);
}

/** Resolves when every tracked addition has ended. */
export const additionsSettled = (): Promise<unknown> => pending;
