import { minorFromWire } from '../money.ts';

/**
 * Returns true if the change is so high that a mistyped amount is likelier than such a note.
 *
 * @param limit the clinic's bound, a wire decimal
 */
export const isUnusualChange = (changeMinor: number, limit: number): boolean => changeMinor > minorFromWire(limit);
