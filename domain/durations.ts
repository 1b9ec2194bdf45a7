export const hourMs = 3_600_000;
/** A day without a change of the clock. */
export const dayMs = 24 * hourMs;
