/** The records of one document, in SQL. */
import type { FiscalRecord } from '#domain/fiscal/record.ts';
import type { SendingState } from '#domain/fiscal/resources.ts';
import { rowsOf } from '#server/db/sql.ts';
import type { Sql } from '#server/db/sql.ts';

export interface DocumentRecord {
  id: number;
  record: FiscalRecord;
  /** Null in a clinic without VERI*FACTU. */
  state: SendingState | null;
  code: number | null;
}

/** Returns all records of the document that a record is of, in the order of their arrival. */
export function recordsOfDocument(sql: Sql, clinicId: number, id: number): Promise<DocumentRecord[]> {
  return rowsOf(
    sql,
    'records of document',
    `select r.id::float8 as id, r.record, s.state, s.code from fiscal_records given
     join fiscal_records r on r.clinic_id = given.clinic_id and r.document_op_id = given.document_op_id and r.number = given.number
     left join fiscal_sendings s on s.clinic_id = r.clinic_id and s.record_id = r.id
     where given.clinic_id = $1 and given.id = $2 order by r.id`,
    [clinicId, id],
  );
}
