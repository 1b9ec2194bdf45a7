/**
 * Odd facts: operations that are recorded as they came, and that a manager looks at because they contradict the
 * catalogue, their own sums, or what their device said before.
 *
 * The number is how many items of the kind one device can have open at once, so that whoever floods the list hides
 * nothing but more of the same. A device's clock, sequence and numbers are each one matter, however many sales they
 * touch.
 */
export const mostOpenPerDevice = {
  price_differs: 100,
  sum_differs: 100,
  number_foreign: 100,
  currency_differs: 100,
  change_high: 100,
  backdated: 100,
  clock_wrong: 1,
  number_jump: 1,
  sequence_jump: 1,
} as const satisfies Record<string, number>;

export type OddKind = keyof typeof mostOpenPerDevice;

export const isOddKind = (kind: string): kind is OddKind => kind in mostOpenPerDevice;
