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
 * Returns the amounts that a customer is likely to hand over: the exact amount, and the next whole, five and ten units.
 * Each is above the one before, so that the four are always different: 45.00 gives 45, 46, 50, 60.
 */
export function quickAmounts(dueMinor: number): QuickAmount[] {
  const amounts: QuickAmount[] = [{ kind: 'exact', minor: dueMinor }];
  let last = dueMinor;
  for (const { kind, stepMinor } of roundings) {
    last = (Math.floor(last / stepMinor) + 1) * stepMinor;
    amounts.push({ kind, minor: last });
  }
  return amounts;
}
