/** Services that were asked for, and are still being looked up. Whoever asked takes them for a part of the plan already. */
let underWay: Promise<unknown> = Promise.resolve();

/** Says that a service is on its way into the plan. */
export function trackAddition(adding: Promise<void>): void {
  underWay = Promise.allSettled([underWay, adding]);
}

/** Resolves when the plan holds all that was asked for. */
export const additionsSettled = (): Promise<unknown> => underWay;
