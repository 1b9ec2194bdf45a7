/** Which lots a supply is taken from: the one that expires first, so that as little as possible is thrown away. */

export interface Lot {
  id: number;
  /** YYYY-MM-DD; null keeps for ever. */
  expiresOn: string | null;
  receivedAtMs: number;
  remainingMilli: number;
}

export interface Draw {
  lotId: number;
  quantityMilli: number;
}

/** The order in which lots are used: what expires first, then what keeps for ever; of two alike the one received first. */
export function byUse(a: Lot, b: Lot): number {
  if (a.expiresOn !== b.expiresOn) {
    if (a.expiresOn === null) return 1;
    if (b.expiresOn === null) return -1;
    return a.expiresOn < b.expiresOn ? -1 : 1;
  }
  return a.receivedAtMs - b.receivedAtMs || a.id - b.id;
}

/**
 * Takes a quantity (thousandths) from lots. What was used is a fact also where the lots do not cover it: the rest then came
 * from no known lot, and the draws sum to less than the quantity.
 */
export function drawFromLots(lots: readonly Lot[], quantityMilli: number): Draw[] {
  const draws: Draw[] = [];
  let openMilli = quantityMilli;
  for (const lot of [...lots].sort(byUse)) {
    const takenMilli = Math.min(openMilli, lot.remainingMilli);
    if (takenMilli > 0) draws.push({ lotId: lot.id, quantityMilli: takenMilli });
    openMilli -= Math.max(0, takenMilli);
  }
  return draws;
}
