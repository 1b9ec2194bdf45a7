/** Chooses the lots that a supply is taken from: first expired, first out. */

export interface Lot {
  id: number;
  /** YYYY-MM-DD; null never expires. */
  expiresOn: string | null;
  receivedAtMs: number;
  remainingMilli: number;
}

export interface Draw {
  lotId: number;
  quantityMilli: number;
}

/** Compares lots in the order of use: by expiry, then lots that never expire; the first received breaks ties. */
export function byUse(a: Lot, b: Lot): number {
  if (a.expiresOn !== b.expiresOn) {
    if (a.expiresOn === null) return 1;
    if (b.expiresOn === null) return -1;
    return a.expiresOn < b.expiresOn ? -1 : 1;
  }
  return a.receivedAtMs - b.receivedAtMs || a.id - b.id;
}

/**
 * Takes a quantity (thousandths) from lots. If the lots do not cover the quantity, the draws sum to less: the rest came from no
 * known lot.
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
