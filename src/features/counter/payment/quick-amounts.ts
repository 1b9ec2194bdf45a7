/** Returns the notes from an amount on, of the series 5, 10, 20, 50 that currencies share, the smallest first. */
function* notesAbove(dueMinor: number): Generator<number> {
  for (let unit = 100; ; unit *= 10) {
    for (const note of [1, 2, 5]) if (unit * note >= 500 && unit * note > dueMinor) yield unit * note;
  }
}

/** Returns the next multiple above an amount. */
const nextOf = (stepMinor: number, dueMinor: number): number => (Math.floor(dueMinor / stepMinor) + 1) * stepMinor;

const count = 3;

/** Returns the next multiples of ten, fifty, a hundred and so on, each amount once. */
function severalNotes(dueMinor: number): number[] {
  const amounts = new Set<number>();
  for (let step = 1000; amounts.size < count; step *= 10) {
    for (const multiple of [step, 5 * step]) amounts.add(nextOf(multiple, dueMinor));
  }
  return [...amounts].slice(0, count);
}

/**
 * Returns the amounts that a customer is likely to hand over besides the exact one: the next notes, and the next ten or five
 * where no note is as close. 85.00 gives 90, 100, 200, and 12.34 gives 15, 20, 50. From 100.00 on several notes are handed over:
 * 210.00 gives 220, 250, 300.
 */
export function quickAmounts(dueMinor: number): number[] {
  if (dueMinor >= 10_000) return severalNotes(dueMinor);
  const notes: number[] = [];
  for (const note of notesAbove(dueMinor)) if (notes.push(note) === count) break;
  const likely = notes.slice(0, 2);
  const closer = [1000, 500].map((step) => nextOf(step, dueMinor)).find((minor) => !likely.includes(minor));
  return [...likely, closer ?? notes[2]!].sort((a, b) => a - b);
}

/** Returns the larger half of an amount, for two people who share it, or for two methods. */
export const halfOf = (dueMinor: number): number => Math.ceil(dueMinor / 2);
