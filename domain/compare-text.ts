/** Compares two texts by their code units, the same on every machine and in every language. */
export const compareText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
