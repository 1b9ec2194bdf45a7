/** Invariants of the database, added up by SQL and by the ledger's auditor, without the product's own code. */
import { may } from '#domain/permissions.ts';
import { operationKinds } from '#domain/protocol/operations.ts';
import type { OperationKind } from '#domain/protocol/operations.ts';
import type { Role } from '#domain/staff/roles.ts';
import type { Database } from '#server/db/database.ts';
import { treatmentsOf } from '../ledger/treatment.ts';
import { entriesOf, ofKind, storedOperations } from '../ledger/wire.ts';
import type { StoredOperation } from '../ledger/wire.ts';
import { auditLedger, evidence } from '../server/ledger/auditor.ts';
import { firstOwnId } from './testbed.ts';
import type { Testbed } from './testbed.ts';

/** SQL: no manager has decided to send the record `r` all the same. */
const isNotReleased = `not exists (select from audit_log a where a.clinic_id = r.clinic_id and a.action = 'fiscal.released' and a.subject = r.number)`;

/** Each query returns the rows that break the rule. */
const rules: Record<string, string> = {
  'each applied payment and refund of a device is there once, with its amount': `
    select s.op_id, s.payload ->> 'amount' as claimed, p.amount_minor from sync_ops s
    left join payments p on p.clinic_id = s.clinic_id and p.op_id = s.op_id
    where s.status = 'applied' and s.kind in ('order.pay', 'order.refund') and s.payload ->> 'amount' is not null
      and p.amount_minor is distinct from
        round((s.payload ->> 'amount')::numeric * 100) * (case s.kind when 'order.refund' then -1 else 1 end)`,
  'a payment belongs to an applied operation': `
    select p.op_id from payments p left join sync_ops s on s.clinic_id = p.clinic_id and s.op_id = p.op_id
    where p.device_id >= ${firstOwnId} and s.status is distinct from 'applied'`,
  'a refused operation has no effect': `
    select s.op_id, s.kind from sync_ops s where s.status = 'refused' and (
      exists (select from payments t where t.clinic_id = s.clinic_id and t.op_id = s.op_id) or
      exists (select from order_lines t where t.clinic_id = s.clinic_id and t.op_id = s.op_id) or
      exists (select from order_cancels t where t.clinic_id = s.clinic_id and t.op_id = s.op_id) or
      exists (select from order_changes t where t.clinic_id = s.clinic_id and t.op_id = s.op_id) or
      exists (select from invoices t where t.clinic_id = s.clinic_id and t.op_id = s.op_id) or
      exists (select from drawer_movements t where t.clinic_id = s.clinic_id and t.op_id = s.op_id) or
      exists (select from stock_transactions t where t.clinic_id = s.clinic_id and t.op_id = s.op_id))`,
  'a lot holds what its movements leave, and never less than nothing': `
    select l.id, l.received_milli, l.remaining_milli, m.filled, m.left from stock_lots l, lateral (
      select coalesce(sum(change_milli) filter (where change_milli > 0), 0) as filled, coalesce(sum(change_milli), 0) as left
      from stock_lot_movements m where m.clinic_id = l.clinic_id and m.lot_id = l.id) m
    where (l.received_milli, l.remaining_milli) is distinct from (m.filled, m.left) or l.remaining_milli < 0`,
  'a replaced operation was not applied': `
    select op_id, kind, superseded_by from sync_ops where status = 'applied' and superseded_by is not null and kind <> 'operation.void'`,
  'a record goes to the tax agency only with its document, or by a decision of a manager': `
    select r.number, r.document_op_id from fiscal_sendings s join fiscal_records r on r.clinic_id = s.clinic_id and r.id = s.record_id
    where s.state = 'unsent' and s.held_for is null and r.type = 'issue' and r.device_id >= ${firstOwnId}
      and not exists (select from sync_ops o where o.clinic_id = r.clinic_id and o.op_id = r.document_op_id
        and (o.status = 'applied' or o.superseded_by is not null))
      and ${isNotReleased}`,
  'a record under a code that this clinic was not granted goes out only by a decision of a manager': `
    select r.number from fiscal_sendings s join fiscal_records r on r.clinic_id = s.clinic_id and r.id = s.record_id
    where s.state = 'unsent' and s.held_for is null and r.device_id >= ${firstOwnId}
      and not exists (select from device_codes c where c.clinic_id = r.clinic_id and c.code = r.chain and c.device_id = r.device_id)
      and ${isNotReleased}`,
  'the fields of a patient are within their bounds': `
    select id from patients where length(name) > 200 or length(phone) > 40 or length(email) > 254 or length(notes) > 2000
      or (recipient is not null and (jsonb_typeof(recipient) <> 'object' or length(recipient::text) > 2000))`,
  'of an erased patient nothing is left': `
    select id from patients where erased_at is not null
      and (name <> '' or phone <> '' or email <> '' or notes <> '' or recipient is not null or search_key || phone_key || details_key <> '')`,
  'a patient changes by who may change patients, or with their approval': `
    select a.subject, u.role from audit_log a join users u on u.clinic_id = a.clinic_id and u.id = a.user_id
    where a.action = 'patient.changed' and u.role = 'kitchen' and u.id >= ${firstOwnId} and not exists (select from sync_ops s
      where s.clinic_id = a.clinic_id and s.kind = 'patient.update' and s.aggregate = a.subject
        and s.actor_id = a.user_id and s.approved_by is not null)`,
  'what a deactivated person approved afterwards is told': `
    select s.op_id, s.kind from sync_ops s join users u on u.clinic_id = s.clinic_id and u.id = s.approved_by
    where s.status = 'applied' and s.kind <> 'fiscal.record' and s.effective_at > u.deactivated_at
      and not exists (select from attention_items a where a.clinic_id = s.clinic_id and a.op_id = s.op_id and a.kind = 'late_work')`,
};

/** Returns the digest of all rows of a clinic, by table. */
export async function digestOf(database: Database, clinicId: number): Promise<Record<string, string>> {
  const { rows: tables } = await database.$client.query<{ name: string }>(
    `select table_name as name from information_schema.columns where table_schema = 'public' and column_name = 'clinic_id' order by 1`,
  );
  const digests: Record<string, string> = {};
  for (const { name } of tables) {
    const { rows } = await database.$client.query<{ digest: string }>(
      `select md5(coalesce(string_agg(r::text, ',' order by r::text), '')) as digest from "${name}" r where clinic_id = $1`,
      [clinicId],
    );
    digests[name] = rows[0]!.digest;
  }
  return digests;
}

/** What a later check compares with. */
export interface Before {
  openingMilli: Map<number, number>;
  ofOtherClinic: Record<string, string>;
}

export async function before(testbed: Testbed): Promise<Before> {
  const { items, rows } = await evidence(testbed);
  const opening = items.map(({ id, quantityMilli }): [number, number] => [
    id,
    rows.find(({ stockId }) => stockId === id)?.previousMilli ?? quantityMilli,
  ]);
  const ofOtherClinic = await digestOf(testbed.database, testbed.otherClinicId);
  return { openingMilli: new Map(opening), ofOtherClinic };
}

/** Returns what is broken; empty when every invariant holds. */
export async function brokenInvariants(testbed: Testbed, { openingMilli, ofOtherClinic }: Before): Promise<string[]> {
  const { database, clinicId, otherClinicId } = testbed;
  const broken: string[] = [];
  for (const [rule, query] of Object.entries(rules)) {
    const { rows } = await database.$client.query(query);
    if (rows.length > 0) broken.push(`${rule}: ${rows.length} rows, such as ${JSON.stringify(rows.slice(0, 3))}`);
  }
  const found = await evidence(testbed);
  // An item that was added meanwhile began with its first movement.
  for (const { id, quantityMilli } of found.items)
    if (!openingMilli.has(id))
      openingMilli.set(id, found.rows.find(({ stockId }) => stockId === id)?.previousMilli ?? quantityMilli);
  broken.push(...auditLedger(found, openingMilli).slice(0, 10));
  const after = await digestOf(database, otherClinicId);
  for (const [table, digest] of Object.entries(ofOtherClinic))
    if (after[table] !== digest) broken.push(`the other clinic's ${table} changed`);
  return [...broken, ...(await wrongTreatments(database, clinicId)), ...(await forbidden(database, clinicId))];
}

/** Returns the treatments whose money is not what the ledger of the tests recomputes from the accepted operations. */
async function wrongTreatments(database: Database, clinicId: number): Promise<string[]> {
  const { rows: operations } = await database.$client.query<StoredOperation>(storedOperations, [clinicId]);
  const { rows: stored } = await database.$client.query<{ id: string; money: string }>(
    `select id, concat_ws(' ', status, total_minor, reduction_minor, paid_minor, balance_minor) as money
     from orders where clinic_id = $1`,
    [clinicId],
  );
  const moneyOf = new Map(stored.map(({ id, money }) => [id, money]));
  const entries = entriesOf(operations);
  // A treatment of the demo clinic began without operations, so nothing can recompute it.
  const begun = new Set(ofKind(entries, 'order.create').map(({ payload }) => payload.order_id));
  const recomputable = entries.filter(({ payload }) => 'order_id' in payload && begun.has(payload.order_id));
  const wrong = treatmentsOf(recomputable).flatMap(({ id, number, status, total, reduction, paid, balance }) => {
    const [is, should] = [moneyOf.get(id), [status, total, reduction, paid, balance].join(' ')];
    return is === should ? [] : `${number} is ${is}, expected ${should}`;
  });
  return wrong.length === 0 ? [] : [`the money of ${wrong.length} treatments: ${wrong.slice(0, 3).join('; ')}`];
}

/** Returns the operations that took effect although their actor may not do them. Nobody who takes part changes the role. */
async function forbidden(database: Database, clinicId: number): Promise<string[]> {
  const { rows } = await database.$client.query<{
    kind: OperationKind;
    role: Role;
    approver: Role | null;
    count: number;
  }>(
    `select s.kind, u.role, a.role as approver, count(*)::int as count from sync_ops s
     join users u on u.clinic_id = s.clinic_id and u.id = s.actor_id
     left join users a on a.clinic_id = s.clinic_id and a.id = s.approved_by
     where s.clinic_id = $1 and s.status = 'applied' and s.kind = any($2::text[]) and u.id >= $3
     group by 1, 2, 3`,
    [clinicId, operationKinds, firstOwnId],
  );
  return rows
    .filter(({ kind, role, approver }) => !may(role, kind) && !(approver !== null && may(approver, kind)))
    .map(({ kind, role, count }) => `${count} operations of the kind ${kind} took effect for the role ${role}`);
}
