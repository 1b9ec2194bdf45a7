/** Returns the notes from an amount on, of the series 5, 10, 20, 50 that currencies share, the smallest first. */
function* notesAbove(dueMinor: number): Generator<number> {
  for (let unit = 100; ; unit *= 10) {
    for (const note of [1, 2, 5]) if (unit * note >= 500 && unit * note > dueMinor) yield unit * note;
  }
}

/** Returns the next multiple above an amount. */
const nextOf = (stepMinor: number, dueMinor: number): number => (Math.floor(dueMinor / stepMinor) + 1) * stepMinor;

const count = 3;

/**
 * Returns the amounts that a customer is likely to hand over besides the exact one: the next notes, and the next ten or five
 * where no note is as close. 85.00 gives 90, 100, 200, and 12.34 gives 15, 20, 50.
 */
export function quickAmounts(dueMinor: number): number[] {
  const notes: number[] = [];
  for (const note of notesAbove(dueMinor)) if (notes.push(note) === count) break;
  const likely = notes.slice(0, 2);
  const closer = [1000, 500].map((step) => nextOf(step, dueMinor)).find((minor) => !likely.includes(minor));
  return [...likely, closer ?? notes[2]!].sort((a, b) => a - b);
}

/** Returns the larger half of an amount, for two people who share it, or for two methods. */
export const halfOf = (dueMinor: number): number => Math.ceil(dueMinor / 2);
