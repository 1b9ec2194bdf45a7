/**
 * Chooses the lots that a supply is taken from. What is used comes from the first to expire among the lots that have not
 * expired, and from expired ones only when nothing else is there: then somebody must be told. What is written off, or
 * found missing by a count, comes from the first to expire: what has expired is what people throw away.
 */

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

/** Returns whether a lot has expired on a business day (YYYY-MM-DD): it is good through the day of its expiry. */
export const isExpired = ({ expiresOn }: Pick<Lot, 'expiresOn'>, day: string): boolean =>
  expiresOn !== null && expiresOn < day;

/**
 * Returns the order in which lots are taken: by expiry, then lots that never expire; the first received breaks ties.
 *
 * @param usedOn the business day of a use, on which expired lots are the last; null for what is not used
 */
export const byUse =
  (usedOn: string | null) =>
  (a: Lot, b: Lot): number => {
    if (usedOn !== null && isExpired(a, usedOn) !== isExpired(b, usedOn)) return isExpired(a, usedOn) ? 1 : -1;
    if (a.expiresOn !== b.expiresOn) {
      if (a.expiresOn === null) return 1;
      if (b.expiresOn === null) return -1;
      return a.expiresOn < b.expiresOn ? -1 : 1;
    }
    return a.receivedAtMs - b.receivedAtMs || a.id - b.id;
  };

/**
 * Takes a quantity (thousandths) from lots. If the lots do not cover the quantity, the draws sum to less: the rest came from no
 * known lot.
 */
export function drawFromLots(lots: readonly Lot[], quantityMilli: number, usedOn: string | null): Draw[] {
  const draws: Draw[] = [];
  let openMilli = quantityMilli;
  for (const lot of [...lots].sort(byUse(usedOn))) {
    const takenMilli = Math.min(openMilli, lot.remainingMilli);
    if (takenMilli > 0) draws.push({ lotId: lot.id, quantityMilli: takenMilli });
    openMilli -= Math.max(0, takenMilli);
  }
  return draws;
}
