/** Fiscal records as managers read and correct them, in SQL. */
import { adviceOn } from '#domain/fiscal/advice.ts';
import type { ChainResource, RecordFilter, RecordResource, SendingState } from '#domain/fiscal/resources.ts';
import type { FiscalRecord } from '#domain/fiscal/record.ts';
import { isoOf, isoOrNull } from '#domain/instant.ts';
import { msOf, rowsOf } from '#server/db/sql.ts';
import type { Sql } from '#server/db/sql.ts';
import { isCorrectable } from './outcome.ts';
import { serverDevice } from './server-device.ts';

/** Returns the chains of a clinic, the server's own last, with their last records. */
export async function chainsOf(sql: Sql, clinicId: number): Promise<ChainResource[]> {
  const rows = await rowsOf<Omit<ChainResource, 'head'> & ChainResource['head'] & { receivedAtMs: number }>(
    sql,
    'fiscal chains',
    `with chain as (select chain, device_id, count(*)::int as count from fiscal_records where clinic_id = $1 group by 1, 2),
     waiting as (select r.chain, r.device_id, count(*)::int as unsent from fiscal_sendings s
       join fiscal_records r on r.clinic_id = s.clinic_id and r.id = s.record_id
       where s.clinic_id = $1 and s.state = 'unsent' group by 1, 2)
     select c.chain, c.device_id, coalesce(d.name, '') as device_name, c.count, coalesce(w.unsent, 0) as unsent,
       h.sequence, h.number, h.record -> 'fields' ->> 'issued_on' as issued_on, h.seal,
       ${msOf('h.received_at')}::float8 as "receivedAtMs"
     from chain c
     join lateral (select * from fiscal_records r where r.clinic_id = $1 and r.chain = c.chain and r.device_id = c.device_id
       order by sequence desc, id desc limit 1) h on true
     left join waiting w on w.chain = c.chain and w.device_id = c.device_id
     left join devices d on d.clinic_id = $1 and d.id = c.device_id and c.device_id <> ${serverDevice}
     order by h.received_at desc, c.chain, c.device_id`,
    [clinicId],
  );
  return rows.map(({ chain, device_id, device_name, count, unsent, receivedAtMs, ...head }) => ({
    chain,
    device_id,
    device_name,
    count,
    unsent,
    head: {
      sequence: head.sequence,
      number: head.number,
      issued_on: head.issued_on,
      seal: head.seal,
      received_at: isoOf(receivedAtMs),
    },
  }));
}

const statesOf = (filter: RecordFilter): SendingState[] => {
  if (filter === 'held') return ['unsent'];
  return filter === 'faulty' ? ['rejected', 'accepted_with_errors'] : [filter];
};

type ListedRow = Omit<RecordResource, 'advice' | 'replied_at' | 'is_correctable' | 'is_annullable'> & {
  repliedAtMs: number | null;
  isLast: boolean;
  /** Nothing confirms it. */
  isUnfounded: boolean | null;
};

/**
 * Returns records of a clinic, the latest first. A record that is not for the agency counts as not sent.
 *
 * @param filter all states without it
 * @param number the beginning of the documents' number
 * @param before the last one of the page before
 */
export async function listRecords(
  sql: Sql,
  clinicId: number,
  {
    filter,
    number = '',
    before,
    limit,
  }: { filter?: RecordFilter | undefined; number?: string | undefined; before?: number | undefined; limit: number },
): Promise<RecordResource[]> {
  const values: unknown[] = [
    clinicId,
    before ?? Number.MAX_SAFE_INTEGER,
    filter ? statesOf(filter) : null,
    limit,
    ...(number === '' ? [] : [number]),
  ];
  // Without a name: PostgreSQL plans it for this number, which few records have, or nearly all.
  const { rows } = await sql.query(
    `select r.id::float8 as id, r.chain, r.device_id, r.sequence, r.type, r.number,
       r.record -> 'fields' ->> 'type' as document_type, r.record -> 'fields' ->> 'issued_on' as issued_on,
       r.record -> 'fields' ->> 'total' as total, r.record -> 'fields' ->> 'generated_at' as generated_at,
       coalesce(s.state, 'not_sent') as state, s.held_for, s.code, s.message, ${msOf('s.replied_at')}::float8 as "repliedAtMs",
       (r.record -> 'fields' -> 'recipient') is not null as has_recipient,
       r.type = 'issue' and not exists (select from fiscal_records o where o.clinic_id = r.clinic_id
         and o.document_op_id = r.document_op_id and o.number = r.number and (o.id > r.id or o.type = 'cancel')) as "isLast",
       r.device_id <> ${serverDevice} and s.state <> 'not_sent' and (s.held_for is not null
         or not exists (select from sync_ops p where p.clinic_id = r.clinic_id and p.op_id = r.document_op_id)) as "isUnfounded"
     from fiscal_records r left join fiscal_sendings s on s.clinic_id = r.clinic_id and s.record_id = r.id
     where r.clinic_id = $1 and r.id < $2 ${filter === 'held' ? 'and s.held_for is not null' : ''} and ($3::text[] is null or coalesce(s.state, 'not_sent') = any($3))
       ${number === '' ? '' : 'and r.number ^@ $5'}
     order by r.id desc limit $4`,
    values,
  );
  return (rows as ListedRow[]).map(({ repliedAtMs, isLast, isUnfounded, ...row }) => ({
    ...row,
    is_correctable: isLast && isCorrectable(row),
    is_annullable: isLast && isUnfounded === true,
    advice: row.state === 'rejected' || row.state === 'accepted_with_errors' ? adviceOn(row.state, row.code) : null,
    replied_at: isoOrNull(repliedAtMs),
  }));
}

/** Returns one record of a clinic as its list shows it. */
export async function loadRecord(sql: Sql, clinicId: number, id: number): Promise<RecordResource | undefined> {
  const [found] = await listRecords(sql, clinicId, { before: id + 1, limit: 1 });
  return found?.id === id ? found : undefined;
}

/** A record as an export contains it. */
export interface ExportedRecord {
  id: number;
  device_id: number;
  receivedAtMs: number;
  state: SendingState;
  code: number | null;
  message: string | null;
  record: FiscalRecord;
}

/** Months as `yyyy-mm`, both inclusive, of the clinic's zone. */
export interface Months {
  from: string;
  until: string;
}

/** Returns the records of these months, in the order of their chains. @param after the last one of the page before */
export function recordsOfMonths(
  sql: Sql,
  clinicId: number,
  { from, until, after, limit }: Months & { after: ExportedRecord | null; limit: number },
): Promise<ExportedRecord[]> {
  return rowsOf(
    sql,
    'fiscal records of months',
    `select r.id::float8 as id, r.device_id, ${msOf('r.received_at')}::float8 as "receivedAtMs",
       coalesce(s.state, 'not_sent') as state, s.code, s.message, r.record
     from fiscal_records r left join fiscal_sendings s on s.clinic_id = r.clinic_id and s.record_id = r.id
     where r.clinic_id = $1 and (r.chain, r.device_id, r.sequence, r.id) > ($2, $3::int, $4::int, $5::bigint)
       and left(r.record -> 'fields' ->> 'generated_at', 7) between $6 and $7
     order by r.chain, r.device_id, r.sequence, r.id limit $8`,
    [
      clinicId,
      after?.record.chain ?? '',
      after?.device_id ?? -1,
      after?.record.sequence ?? 0,
      after?.id ?? 0,
      from,
      until,
      limit,
    ],
  );
}

export interface DocumentRecord {
  id: number;
  record: FiscalRecord;
  /** Null in a clinic without VERI*FACTU. */
  state: SendingState | null;
  code: number | null;
}

/** Returns all records of a record's document, in the order of their arrival. */
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
