/** Where somebody is in a log that is read page by page towards the past: the server says where the next page begins, so the way back is remembered. */

/** The beginnings of the pages so far; the first begins at the newest deed. */
export type Places = readonly [null, ...string[]];

export const newest: Places = [null];
export const placeOf = (places: Places): string | null => places.at(-1) ?? null;
export const older = (places: Places, next: string): Places => [...places, next];
export const newer = (places: Places): Places =>
  places.length > 1 ? (places.slice(0, -1) as unknown as Places) : places;
