/** Cursors of the pages read so far. The server returns only the next cursor, so the earlier ones are kept for the way back. */
export type PageCursors = readonly [null, ...string[]];

export const firstPage: PageCursors = [null];
export const currentCursor = (cursors: PageCursors): string | null => cursors.at(-1) ?? null;
export const nextPage = (cursors: PageCursors, next: string): PageCursors => [...cursors, next];
export const previousPage = (cursors: PageCursors): PageCursors =>
  cursors.length > 1 ? (cursors.slice(0, -1) as unknown as PageCursors) : cursors;
