/**
 * How many items of a kind can be open at once, so that whoever floods the list hides nothing but more of the same.
 *
 * Of odd facts the number holds per device: operations that are recorded as they came, and that a manager looks at
 * because they contradict the catalogue, their own sums, or what their device said before. A device's clock, sequence
 * and numbers are each one matter, however many sales they touch. Of operations without proof it holds for the clinic,
 * because the device that they name may be a lie.
 */
export const mostOpen = {
  price_differs: 100,
  sum_differs: 100,
  number_foreign: 100,
  currency_differs: 100,
  change_high: 100,
  backdated: 100,
  clock_wrong: 1,
  number_jump: 1,
  sequence_jump: 1,
  unproven: 50,
} as const satisfies Record<string, number>;

export type BoundedKind = keyof typeof mostOpen;

export const isBounded = (kind: string): kind is BoundedKind => kind in mostOpen;
