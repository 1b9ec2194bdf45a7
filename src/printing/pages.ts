/** The distribution of a document over sheets. */

/** A piece of the document that stays on one sheet. Lengths have one unit, and positions count from the document's beginning. */
export interface Piece {
  top: number;
  bottom: number;
  /** The height of the table head that is repeated above it where it begins a sheet. */
  head: number;
  /** True for a piece that does not begin a sheet alone, such as the sums below a table. */
  isClosing: boolean;
}

/** Returns the places of the pieces, sheet by sheet. A piece that is higher than a sheet has one of its own. */
export function intoSheets(pieces: readonly Piece[], room: number): number[][] {
  const sheets: number[][] = [[]];
  pieces.forEach((piece, place) => {
    const sheet = sheets.at(-1)!;
    const first = pieces[sheet[0] ?? place]!;
    const repeated = sheets.length > 1 ? first.head : 0;
    if (sheet.length === 0 || piece.bottom - first.top + repeated <= room) sheet.push(place);
    else if (piece.isClosing && sheet.length > 1 && fitsWithLast(pieces, place, room))
      sheets.push([sheet.pop()!, place]);
    else sheets.push([place]);
  });
  return sheets;
}

function fitsWithLast(pieces: readonly Piece[], place: number, room: number): boolean {
  const last = pieces[place - 1]!;
  return pieces[place]!.bottom - last.top + last.head <= room;
}
