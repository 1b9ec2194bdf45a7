/** The notes that a customer is likely to hand over for what is due. */

export interface QuickAmount {
  kind: 'exact' | 'whole' | 'five' | 'ten';
  minor: number;
}

const roundings = [
  { kind: 'whole', stepMinor: 100 },
  { kind: 'five', stepMinor: 500 },
  { kind: 'ten', stepMinor: 1000 },
] as const;

/**
 * Exact, and the next whole, five and ten units. Each is more than the one before, so the four places of the row always
 * offer four different amounts: 45.00 gives 45, 46, 50, 60.
 */
export function quickAmounts(dueMinor: number): QuickAmount[] {
  const offers: QuickAmount[] = [{ kind: 'exact', minor: dueMinor }];
  let last = dueMinor;
  for (const { kind, stepMinor } of roundings) {
    last = (Math.floor(last / stepMinor) + 1) * stepMinor;
    offers.push({ kind, minor: last });
  }
  return offers;
}
