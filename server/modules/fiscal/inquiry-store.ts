/** Questions to the tax agency about months, in SQL. */
import { isoOf } from '#domain/instant.ts';
import { rowsOf } from '#server/db/sql.ts';
import type { Sql } from '#server/db/sql.ts';
import { monthIn, patientFailures } from './months.ts';
import type { KnownRecord } from './reply.ts';
import type { CallParts } from './queue-store.ts';
import { isDueAt } from './queue-store.ts';

export interface Inquiry {
  taxId: string;
  /** `yyyy-mm` */
  month: string;
  after: { number: string; issuedOn: string } | null;
  failures: number;
  isDue: boolean;
  /** True when all records of the taxpayer wait for the answer: a backup was restored. */
  isForAll: boolean;
}

/** The most open questions about one taxpayer. A tablet that invents days of issue makes no endless work. */
const mostMonths = 36;

/**
 * Opens questions about months.
 *
 * @param again reads an open one from its first page, which may have the document of a new duplicate; otherwise it goes on
 */
export async function openInquiries(
  sql: Sql,
  { taxId, months, atMs, again }: { taxId: string; months: readonly string[]; atMs: number; again: boolean },
): Promise<void> {
  if (months.length === 0) return;
  await sql.query({
    name: 'open inquiries',
    text: `insert into fiscal_inquiries (tax_id, month, next_at, doubts_since)
           select $1, m, $3, $3 from unnest($2::text[]) m where (select count(*) from fiscal_inquiries where tax_id = $1) < ${mostMonths}
           order by m desc limit ${mostMonths}
           on conflict (tax_id, month) do update set after_number = null, after_issued_on = null where $4`,
    values: [taxId, [...new Set(months)], isoOf(atMs), again],
  });
}

/** SQL: the months under which the agency may have the document of a record `r`. */
const monthsOfDocument = `select ${monthIn(`d.record -> 'fields' ->> f.name`)} as month from fiscal_records d
  cross join (values ('issued_on'), ('operation_on')) f(name)
  where d.clinic_id = r.clinic_id and d.document_op_id = r.document_op_id and d.number = r.number and d.record -> 'fields' -> f.name is not null`;

/** Returns the months about which the agency is to be asked before the held records of a taxpayer go out. */
export async function monthsHeld(sql: Sql, taxId: string): Promise<string[]> {
  const rows = await rowsOf<{ month: string }>(
    sql,
    'months of held records',
    `select distinct m.month from fiscal_sendings s join fiscal_records r on r.clinic_id = s.clinic_id and r.id = s.record_id
     cross join lateral (${monthsOfDocument}) m where s.tax_id = $1 and s.held_for = 'agency'`,
    [taxId],
  );
  return rows.map(({ month }) => month);
}

export interface HeldCancellation {
  clinicId: number;
  recordId: number;
  /** The records of its document that wait with it. */
  documentIds: number[];
  /** True when what the agency has is this document, and not another of its number. */
  isOurs: boolean;
}

/** Returns the cancellations that wait for the agency's word, and of whose numbers it has a document that is not cancelled. */
export function cancellationsInDoubt(
  sql: Sql,
  taxId: string,
  records: readonly KnownRecord[],
): Promise<HeldCancellation[]> {
  return rowsOf(
    sql,
    'cancellations in doubt',
    `select k.clinic_id as "clinicId", k.id::float8 as "recordId",
       array(select d.id::float8 from fiscal_records d join fiscal_sendings h on h.clinic_id = d.clinic_id and h.record_id = d.id
         where d.clinic_id = k.clinic_id and d.document_op_id = k.document_op_id and d.number = k.number and d.id <> k.id
           and h.held_for = 'agency') as "documentIds",
       exists (select from fiscal_records d where d.clinic_id = k.clinic_id and d.document_op_id = k.document_op_id
         and d.number = k.number and d.type = 'issue' and d.hash = q.hash) as "isOurs"
     from fiscal_sendings s join fiscal_records k on k.clinic_id = s.clinic_id and k.id = s.record_id and k.type = 'cancel'
     join json_to_recordset($2::json) as q(number text, hash text, state text) on q.number = k.number and q.state <> 'cancelled'
     where s.tax_id = $1 and s.held_for = 'agency' order by k.id`,
    [taxId, JSON.stringify(records)],
  );
}

/**
 * Lets the records go that waited for the agency's word, as soon as no answer about one of their months is waited for: it does
 * not have their documents, or answers no questions. So the cancellations are sent and the cancelled records are not.
 */
export async function releaseAsked(sql: Sql, taxId: string): Promise<void> {
  await sql.query({
    name: 'release asked records',
    text: `update fiscal_sendings s set held_for = null, state = case r.type when 'cancel' then 'unsent' else 'not_sent' end
           from fiscal_records r where r.clinic_id = s.clinic_id and r.id = s.record_id and s.tax_id = $1 and s.held_for = 'agency'
             and not exists (select from fiscal_inquiries i where i.tax_id = $1 and i.failures < ${patientFailures}
               and i.month in (${monthsOfDocument}))`,
    values: [taxId],
  });
}

/** Returns the next question about a taxpayer: one that is due before others, then one for which all records wait; undefined without any. */
export async function nextInquiry(sql: Sql, taxId: string, nowMs: number): Promise<Inquiry | undefined> {
  const [row] = await rowsOf<Omit<Inquiry, 'after' | 'taxId'> & { number: string | null; issuedOn: string | null }>(
    sql,
    'next inquiry',
    `select month, after_number as number, after_issued_on as "issuedOn", failures, ${isDueAt('next_at', '$2')} as "isDue",
       doubts_since is null as "isForAll"
     from fiscal_inquiries where tax_id = $1 order by ${isDueAt('next_at', '$2')} desc, doubts_since is null desc, month limit 1`,
    [taxId, isoOf(nowMs)],
  );
  if (!row) return undefined;
  const { number, issuedOn, ...inquiry } = row;
  return { ...inquiry, taxId, after: number === null || issuedOn === null ? null : { number, issuedOn } };
}

/** Notes the page that is read; null after the last one, when the question is answered. */
export async function turnPage(
  sql: Sql,
  { taxId, month }: Pick<Inquiry, 'taxId' | 'month'>,
  { next, atMs }: { next: Inquiry['after']; atMs: number },
): Promise<void> {
  if (next === null)
    await sql.query({
      name: 'close inquiry',
      text: 'delete from fiscal_inquiries where tax_id = $1 and month = $2',
      values: [taxId, month],
    });
  else
    await sql.query({
      name: 'turn page of inquiry',
      text: `update fiscal_inquiries set after_number = $3, after_issued_on = $4, failures = 0, next_at = $5
             where tax_id = $1 and month = $2`,
      values: [taxId, month, next.number, next.issuedOn, isoOf(atMs)],
    });
}

export async function putOff(
  sql: Sql,
  { taxId, month }: Pick<Inquiry, 'taxId' | 'month'>,
  nextAtMs: number,
): Promise<void> {
  await sql.query({
    name: 'put off inquiry',
    text: 'update fiscal_inquiries set failures = failures + 1, next_at = $3 where tax_id = $1 and month = $2',
    values: [taxId, month, isoOf(nextAtMs)],
  });
}

/** SQL: the clinic issues documents of the taxpayer ($1), or did. */
const isOfTaxpayer = (clinic: string): string =>
  `(exists (select from device_codes d where d.clinic_id = ${clinic} and d.tax_id = $1)
    or exists (select from settings t where t.clinic_id = ${clinic} and t.data ->> 'tax_profile' = 'ES' and t.data ->> 'tax_id' = $1))`;

/** Returns a clinic of the taxpayer whose certificate asks, and the name of the taxpayer. */
export async function clinicToAsk(sql: Sql, taxId: string): Promise<(CallParts & { name: string }) | undefined> {
  const [row] = await rowsOf<CallParts & { name: string }>(
    sql,
    'clinic to ask',
    `select c.clinic_id as "clinicId", c.sealed as "sealedCertificate", coalesce(
         (select s.data ->> 'legal_name' from settings s where s.clinic_id = c.clinic_id and s.data ->> 'tax_id' = $1),
         (select r.record -> 'fields' ->> 'issuer_name' from fiscal_records r join fiscal_sendings s on s.clinic_id = r.clinic_id
           and s.record_id = r.id where r.clinic_id = c.clinic_id and s.tax_id = $1 order by r.id desc limit 1), '') as name
     from fiscal_certificates c where ${isOfTaxpayer('c.clinic_id')} order by c.called_at nulls first, c.clinic_id limit 1`,
    [taxId],
  );
  return row;
}

/** SQL: the document of a record `r` is cancelled by a record that the agency has or will have. */
const isCancelled = `exists (select from fiscal_records k join fiscal_sendings w on w.clinic_id = k.clinic_id and w.record_id = k.id
  where k.clinic_id = r.clinic_id and k.document_op_id = r.document_op_id and k.number = r.number and k.type = 'cancel' and w.state <> 'not_sent')`;

/** SQL: the clinics of a taxpayer ($1), with the records `q` that the agency has ($2). */
const known = `from (select id as clinic_id from clinics where ${isOfTaxpayer('id')}) c
  cross join json_to_recordset($2::json) as q(number text, "issuedOn" text, hash text, state text, code int)`;

export interface FoundRecord {
  clinicId: number;
  recordId: number;
  documentOpId: string;
  number: string;
  state: KnownRecord['state'];
  code: number | null;
}

/**
 * Returns the records that the agency has, among those that are not sent yet and those that it rejected as duplicates. The hash tells
 * a record from another of its number. Of a cancelled document the agency tells no hash of the record that was cancelled: both are
 * found by the document, the latter where the agency has said that it has one.
 */
export function recordsFound(sql: Sql, taxId: string, records: readonly KnownRecord[]): Promise<FoundRecord[]> {
  return rowsOf(
    sql,
    'records found at the agency',
    `select c.clinic_id as "clinicId", r.id::float8 as "recordId", r.document_op_id as "documentOpId", r.number, q.state, q.code ${known}
     join fiscal_records r on r.clinic_id = c.clinic_id and r.number = q.number
       and (r.hash = q.hash or (q.state = 'cancelled' and r.record -> 'fields' ->> 'issued_on' = q."issuedOn"
         and (r.type = 'cancel' or ${isCancelled})))
     join fiscal_sendings s on s.clinic_id = r.clinic_id and s.record_id = r.id and s.tax_id = $1
     where (s.state = 'unsent' and (r.hash = q.hash or r.type = 'cancel')) or (s.state = 'rejected' and s.code in (3000, 3001))
     order by r.id`,
    [taxId, JSON.stringify(records)],
  );
}

/**
 * Notes the server's documents that the agency has, and of which no clinic of the taxpayer has a record. Tablets keep their own
 * documents and send them again. A code that the installation has forgotten is recognised by its letters.
 *
 * @param askedFor the clinic that learns of documents under a forgotten code
 * @returns the clinics that lack documents
 */
export async function noteLostDocuments(
  sql: Sql,
  taxId: string,
  { records, askedFor, atMs }: { records: readonly KnownRecord[]; askedFor: number; atMs: number },
): Promise<number[]> {
  const rows = await rowsOf<{ clinicId: number }>(
    sql,
    'note lost documents',
    `with listed as (select q.number, q."issuedOn", substring(q.number from '^[A-Z]{1,4}-([A-Z]{1,12}0)-[0-9]{1,9}$') as code
       from json_to_recordset($2::json) as q(number text, "issuedOn" text)),
     own as (select l.*, d.clinic_id from listed l left join device_codes d on d.code = l.code and d.tax_id = $1
       where l.code is not null and (d.clinic_id is not null
         or exists (select from forgotten_prefixes f where f.tax_id = $1 and l.code like f.prefix || '%')))
     insert into fiscal_lost_documents (clinic_id, number, issued_on, found_at)
     select coalesce(o.clinic_id, $3::int), o.number, o."issuedOn", $4 from own o
     where not exists (select from clinics c join fiscal_records r on r.clinic_id = c.id and r.number = o.number
       where ${isOfTaxpayer('c.id')})
     on conflict do nothing returning clinic_id as "clinicId"`,
    [taxId, JSON.stringify(records), askedFor, isoOf(atMs)],
  );
  return [...new Set(rows.map(({ clinicId }) => clinicId))];
}

/** Returns how many documents a clinic lacks, and the first of their numbers. */
export async function lostDocuments(
  sql: Sql,
  clinicId: number,
  limit: number,
): Promise<{ count: number; numbers: string[] }> {
  const [row] = await rowsOf<{ count: number; numbers: string[] }>(
    sql,
    'lost documents',
    `select (select count(*)::int from fiscal_lost_documents where clinic_id = $1) as count,
       array(select number from fiscal_lost_documents where clinic_id = $1 order by number limit $2) as numbers`,
    [clinicId, limit],
  );
  return row!;
}
