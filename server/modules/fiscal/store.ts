/** Fiscal records in SQL. */
import type { ChainHead, FiscalRecord, IssueRecord } from '#domain/fiscal/record.ts';
import type { HoldReason, SendingState } from '#domain/fiscal/resources.ts';
import { insertInto } from '#server/db/insert.ts';
import { fiscalRecords } from '#server/db/schema/fiscal.ts';
import { rowsOf } from '#server/db/sql.ts';
import type { Sql } from '#server/db/sql.ts';
import type { BatchContext } from '#server/operations/operation-module.ts';
import { insertSendings } from './sending-store.ts';
import type { NewSending, NotedSendings } from './sending-store.ts';
import { serverDevice } from './server-device.ts';

/** A chain: the code, and the device that uses it. */
export interface ChainKey {
  chain: string;
  deviceId: number;
}

/** A place in a chain. */
export interface ChainPlace extends ChainKey {
  sequence: number;
}

/** A stored record at its place. */
export interface StoredPlace extends ChainPlace {
  hash: string;
  seal: string;
}

/** Returns the stored records at places of chains. A place has several records when the chain forks there. */
export function recordsAt(sql: Sql, clinicId: number, places: readonly ChainPlace[]): Promise<StoredPlace[]> {
  return rowsOf(
    sql,
    'fiscal records at places',
    `select r.chain, r.device_id as "deviceId", r.sequence, r.hash, r.seal
     from unnest($2::text[], $3::int[], $4::int[]) as p(chain, device_id, sequence)
     join fiscal_records r on r.clinic_id = $1 and r.chain = p.chain and r.device_id = p.device_id and r.sequence = p.sequence`,
    [
      clinicId,
      places.map(({ chain }) => chain),
      places.map(({ deviceId }) => deviceId),
      places.map(({ sequence }) => sequence),
    ],
  );
}

/** Returns the devices that were granted the codes. */
export function ownersOfCodes(
  sql: Sql,
  clinicId: number,
  codes: readonly string[],
): Promise<{ code: string; deviceId: number }[]> {
  return rowsOf(
    sql,
    'owners of codes',
    'select code, device_id as "deviceId" from device_codes where clinic_id = $1 and code = any($2::text[])',
    [clinicId, codes],
  );
}

export interface NewRecord {
  deviceId: number;
  record: FiscalRecord;
}

const insertFiscalRecords = insertInto(fiscalRecords);

export async function insertRecords(
  sql: Sql,
  { clinicId, receivedAtMs }: Pick<BatchContext, 'clinicId' | 'receivedAtMs'>,
  records: readonly NewRecord[],
): Promise<void> {
  await insertFiscalRecords(
    sql,
    records.map(({ deviceId, record }) => ({
      clinicId,
      chain: record.chain,
      deviceId,
      sequence: record.sequence,
      type: record.type,
      number: record.fields.number,
      documentOpId: record.document_op_id,
      hash: record.hash,
      seal: record.seal,
      record,
      receivedAt: receivedAtMs,
    })),
  );
}

/** Inserts records of the server's own, and notes them for the sender. */
export async function insertOwnRecords(
  sql: Sql,
  context: Pick<BatchContext, 'clinicId' | 'receivedAtMs' | 'settings'>,
  records: readonly Omit<NewSending, 'deviceId'>[],
): Promise<void> {
  const own = records.map((record) => ({ ...record, deviceId: serverDevice }));
  await insertRecords(sql, context, own);
  await noteSendings(sql, context, own);
}

/** Notes inserted records for the sender, in a clinic with VERI*FACTU. */
export const noteSendings = async (
  sql: Sql,
  { clinicId, settings }: Pick<BatchContext, 'clinicId' | 'settings'>,
  records: readonly NewSending[],
): Promise<NotedSendings> =>
  settings.verifactu_since === '' ? { invented: [], rejected: [] } : insertSendings(sql, clinicId, settings, records);

/** The first key of the locks of the clinics' own chains; the second is the clinic. */
const chainLock = 2;

/** Locks the server's own chains until the transaction ends: after devices, and before stock items. */
export async function lockServerChains(sql: Sql, clinicId: number): Promise<void> {
  await sql.query({
    name: 'lock server chains',
    text: `select pg_advisory_xact_lock(${chainLock}, $1)`,
    values: [clinicId],
  });
}

/** Returns the last record of one of the server's own chains. */
export async function serverHead(sql: Sql, clinicId: number, chain: string): Promise<ChainHead | null> {
  const [head] = await rowsOf<ChainHead>(
    sql,
    'head of server chain',
    `select sequence as count, number, record -> 'fields' ->> 'issued_on' as issued_on, hash, seal from fiscal_records
     where clinic_id = $1 and chain = $2 and device_id = ${serverDevice} order by sequence desc limit 1`,
    [clinicId, chain],
  );
  return head ?? null;
}

/** Returns which of the documents' numbers have a record in one of the server's own chains. */
export async function recordedNumbers(sql: Sql, clinicId: number, opIds: readonly string[]): Promise<Set<string>> {
  const rows = await rowsOf<{ number: string }>(
    sql,
    'recorded numbers',
    `select number from fiscal_records where clinic_id = $1 and document_op_id = any($2::uuid[])
       and device_id = ${serverDevice} and type = 'issue'`,
    [clinicId, opIds],
  );
  return new Set(rows.map(({ number }) => number));
}

/** A record that is to be cancelled. */
export interface CancelledRecord {
  recordId: number;
  record: IssueRecord;
  /** Null for a record from before VERI*FACTU. */
  state: SendingState | null;
  heldFor: HoldReason | null;
  /** The agency's number of the error; null without one. */
  code: number | null;
  /** True when the tax agency has another record of the number, or gets one. */
  isNumberTaken: boolean;
}

/** SQL: the columns of `CancelledRecord` for the records `c`. */
const cancelledColumns = `c.id::float8 as "recordId", c.record, s.state, s.held_for as "heldFor", s.code,
  exists (select from fiscal_records o join fiscal_sendings t on t.clinic_id = o.clinic_id and t.record_id = o.id
    where o.clinic_id = $1 and o.number = c.number and o.type = 'issue' and o.id <> c.id and t.held_for is null
      and t.state in ('unsent', 'accepted', 'accepted_with_errors')) as "isNumberTaken"`;

const sendingOfCancelled = 'left join fiscal_sendings s on s.clinic_id = $1 and s.record_id = c.id';

/** @returns `isTablets` false for a cancellation, and for a record of the server's own or that is cancelled */
export async function recordToDecide(
  sql: Sql,
  clinicId: number,
  id: number,
): Promise<(CancelledRecord & { isTablets: boolean }) | undefined> {
  const [row] = await rowsOf<CancelledRecord & { isTablets: boolean }>(
    sql,
    'record to decide',
    `select ${cancelledColumns}, c.type = 'issue' and c.device_id <> ${serverDevice}
       and not exists (select from fiscal_records k where k.clinic_id = $1 and k.type = 'cancel' and k.number = c.number
         and k.document_op_id = c.document_op_id) as "isTablets"
     from fiscal_records c ${sendingOfCancelled} where c.clinic_id = $1 and c.id = $2`,
    [clinicId, id],
  );
  return row;
}

/** Returns the last record of the cancelled document. */
export async function recordOfCancellation(
  sql: Sql,
  clinicId: number,
  id: number,
): Promise<CancelledRecord | undefined> {
  const [row] = await rowsOf<CancelledRecord>(
    sql,
    'record of cancellation',
    `select ${cancelledColumns} from fiscal_records k
     join fiscal_records c on c.clinic_id = k.clinic_id and c.document_op_id = k.document_op_id and c.number = k.number and c.type = 'issue'
     ${sendingOfCancelled} where k.clinic_id = $1 and k.id = $2 and k.type = 'cancel' order by c.id desc limit 1`,
    [clinicId, id],
  );
  return row;
}

/**
 * Returns the records that are to be cancelled. Their document was annulled, or its operation was voided, or what replaced that
 * operation in the end was voided. Records that are cancelled already are left out.
 *
 * @param voids the operations that were voided
 * @param candidates the operations of documents
 */
export async function recordsToCancel(
  sql: Sql,
  clinicId: number,
  { voids, candidates }: { voids: readonly string[]; candidates: readonly string[] },
): Promise<CancelledRecord[]> {
  const found = await rowsOf<{ id: string }>(
    sql,
    'records to cancel',
    `with recursive given as (
       select op_id from unnest($2::uuid[]) as g(op_id)
       union
       select o.supersedes from given join sync_ops o on o.clinic_id = $1 and o.op_id = given.op_id where o.supersedes is not null),
     candidate as (
       -- A document may have a later record that corrects the first.
       select distinct on (r.document_op_id, r.number) r.id, r.document_op_id, r.number, r.record from fiscal_records r
       where r.clinic_id = $1 and r.type = 'issue'
         and r.document_op_id in (select op_id from given union all select unnest($3::uuid[]))
       order by r.document_op_id, r.number, r.id desc),
     link as (
       select c.document_op_id as first, o.superseded_by as next, o.kind from candidate c
       join sync_ops o on o.clinic_id = $1 and o.op_id = c.document_op_id
       union
       select l.first, o.superseded_by, o.kind from link l join sync_ops o on o.clinic_id = $1 and o.op_id = l.next)
     select c.id from candidate c
     where (exists (select from link l where l.first = c.document_op_id and l.next is null and l.kind = 'operation.void')
         or exists (select from order_cancels a where a.clinic_id = $1 and a.op_id = c.document_op_id and a.annulled)
         or exists (select from invoices i where i.clinic_id = $1 and i.number = c.number and i.op_id = c.document_op_id
           and i.document ? 'replaces'
           -- OFFSET keeps this inside: as a join PostgreSQL would read the documents of all invoices of the clinic.
           and exists (select from invoices e where e.clinic_id = $1 and e.order_id = i.order_id
             and e.document #>> '{replaces,number}' = i.document #>> '{replaces,number}' and (e.issued_at, e.id) < (i.issued_at, i.id)
             offset 0)))
       and not exists (select from fiscal_records k where k.clinic_id = $1 and k.type = 'cancel' and k.number = c.number
         and k.document_op_id = c.document_op_id)
     order by c.id`,
    [clinicId, voids, candidates],
  );
  if (found.length === 0) return [];
  // Asked for apart, because nearly always none is found.
  return rowsOf(
    sql,
    'cancelled records',
    `select ${cancelledColumns} from fiscal_records c ${sendingOfCancelled}
     where c.clinic_id = $1 and c.id = any($2::bigint[]) order by c.id`,
    [clinicId, found.map(({ id }) => id)],
  );
}

/** A stored record with its place in the order of `recordsPage`. */
export interface StoredRecord extends NewRecord {
  id: number;
  chain: string;
  sequence: number;
}

/** Returns records of a clinic, chain by chain in the order of their places. @param after the last one of the page before */
export async function recordsPage(
  sql: Sql,
  clinicId: number,
  { after, limit }: { after: StoredRecord | null; limit: number },
): Promise<StoredRecord[]> {
  return rowsOf(
    sql,
    'fiscal records page',
    `select id::float8 as id, chain, device_id as "deviceId", sequence, record from fiscal_records
     where clinic_id = $1 and (chain, device_id, sequence, id) > ($2, $3::int, $4::int, $5::bigint)
     order by chain, device_id, sequence, id limit $6`,
    [clinicId, after?.chain ?? '', after?.deviceId ?? -1, after?.sequence ?? 0, after?.id ?? 0, limit],
  );
}
