/**
 * Reads the rows of a page a few at a time, so that a page ends after bytes as well as after rows: some treatments, and
 * services with a picture in their row, have a hundred times the bytes of others. Callers hold a snapshot.
 */

/** A list's page, or what is left of one. */
export interface Part {
  limit: number;
  offset: number;
}

/** A row with the bytes of its JSON. */
export interface Measured<Row> {
  row: Row;
  bytes: number;
}

/** A page gets no more rows after so many bytes. A reply may have twice as many, because it repeats the latest documents. */
export const enoughBytes = 2_000_000;

/** As many rows show how large they are. It is also a usual page, which is then one statement. */
const firstRows = 20;

/** Returns the rows of a page, or those at its beginning that have enough bytes; at least one. */
export async function readPart<Row>(
  { limit, offset }: Part,
  read: (part: Part) => Promise<Measured<Row>[]>,
): Promise<Row[]> {
  const rows: Row[] = [];
  let bytes = 0;
  while (rows.length < limit) {
    const atOnce = Math.min(limit - rows.length, fitting(rows.length, bytes));
    const found = await read({ limit: atOnce, offset: offset + rows.length });
    for (const { row, bytes: own } of found) {
      rows.push(row);
      bytes += own;
      if (bytes >= enoughBytes) return rows;
    }
    if (found.length < atOnce) return rows;
  }
  return rows;
}

/** Returns how many rows to read, so that they have hardly more bytes than the page has room for. */
const fitting = (count: number, bytes: number): number =>
  count === 0 ? firstRows : Math.max(1, Math.floor(((enoughBytes - bytes) * count) / Math.max(1, bytes)));

/** SQL: the rows of a query that is sorted or limited, each `row` of it with the bytes of its JSON. */
export const measured = (query: string): string =>
  `select q.row, coalesce(octet_length(q.row::text), 0) as bytes from (${query}) q`;
