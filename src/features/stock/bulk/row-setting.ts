/** One field of many rows is set by a request for each, which names what its row showed of the field. */
import { changeRecord } from '#src/api/change-record.ts';
import { changesOf } from '#src/decisions/changes.ts';
import type { NounWords } from '#src/decisions/changes.ts';
import type { RowRequest } from '#src/lists/row-changes.tsx';

interface Setting<Row> {
  pathOf: (row: Row) => string;
  words: NounWords;
  /** The field, which may be another for each row. */
  fieldOf: (row: Row) => string;
  /** What the row shows of the field. */
  from: (row: Row) => unknown;
  to: (row: Row) => unknown;
}

/** Returns the request that sets a field of a row, and what is said of a row whose field has changed meanwhile. */
export const settingOf = <Row>({ pathOf, words, fieldOf, from, to }: Setting<Row>): RowRequest<Row> => ({
  call: (row, headers) =>
    changeRecord(pathOf(row), { changes: { [fieldOf(row)]: to(row) }, seen: { [fieldOf(row)]: from(row) } }, headers),
  changesOf: (row, stored) => changesOf(words, { [fieldOf(row)]: from(row) }, stored),
});
