/** Collective invoices in SQL. */
import type { CollectiveInvoice, ListedCollective } from '#domain/order/collective.ts';
import type { Recipient } from '#domain/tax/document.ts';
import { measured, readPart } from '#server/db/page.ts';
import type { Measured, Part } from '#server/db/page.ts';
import { insertInto } from '#server/db/insert.ts';
import { collectiveInvoices } from '#server/db/schema/orders.ts';
import { amountOf, rowsOf } from '#server/db/sql.ts';
import type { Sql } from '#server/db/sql.ts';

const insertCollective = insertInto(collectiveInvoices);

export const saveCollective = (sql: Sql, clinicId: number, document: CollectiveInvoice): Promise<void> =>
  insertCollective(sql, [
    {
      clinicId,
      id: document.invoice_id,
      number: document.invoice_number,
      issuedAt: Date.parse(document.issued_at),
      document,
    },
  ]);

/** SQL: collective invoices without their printed texts, with what their treatments still owe. */
const listedOf = (invoices: string) => `select k.document - 'printed' || jsonb_build_object('due', (
       select ${amountOf(`coalesce(sum(least(greatest(o.balance_minor, 0), round((t ->> 'total_amount')::numeric * 100))), 0)`)}
       from jsonb_array_elements(k.document -> 'treatments') t
       join orders o on o.clinic_id = $1 and o.id = (t ->> 'order_id')::uuid and o.status <> 'cancelled')) as row
     from (${invoices}) k order by k.issued_at desc, k.id desc`;

const listedSql = listedOf(
  'select * from collective_invoices where clinic_id = $1 order by issued_at desc, id desc limit $2 offset $3',
);

/** Returns a page of collective invoices, newest first, and the number of all. */
export async function listCollective(
  sql: Sql,
  clinicId: number,
  part: Part,
): Promise<{ documents: ListedCollective[]; total: number }> {
  const [counted] = await rowsOf<{ total: number }>(
    sql,
    'collective invoices counted',
    'select count(*)::int as total from collective_invoices where clinic_id = $1',
    [clinicId],
  );
  const documents = await readPart(part, ({ limit, offset }) =>
    rowsOf<Measured<ListedCollective>>(sql, 'collective invoices', measured(listedSql), [clinicId, limit, offset]),
  );
  return { documents, total: counted!.total };
}

/** Returns an invoice as the list shows it. */
export async function loadListed(sql: Sql, clinicId: number, id: string): Promise<ListedCollective | undefined> {
  const [found] = await rowsOf<{ row: ListedCollective }>(
    sql,
    'listed collective invoice',
    listedOf('select * from collective_invoices where clinic_id = $1 and id = $2'),
    [clinicId, id],
  );
  return found?.row;
}

export async function loadCollective(sql: Sql, clinicId: number, id: string): Promise<CollectiveInvoice | undefined> {
  const [row] = await rowsOf<{ document: CollectiveInvoice }>(
    sql,
    'collective invoice',
    'select document from collective_invoices where clinic_id = $1 and id = $2',
    [clinicId, id],
  );
  return row?.document;
}

/** SQL: an invoice of the payer's own names them, and its patient is erased. Companies pay for many, and stay. */
const isErasedPerson = `payer ->> 'tax_id' ~ '^[0-9KLMXYZ]' and exists (select from patients e
  join orders o on o.clinic_id = e.clinic_id and o.patient_id = e.id
  join invoices i on i.clinic_id = o.clinic_id and i.order_id = o.id
  where e.clinic_id = $1 and e.erased_at is not null and i.document #>> '{recipient,tax_id}' = payer ->> 'tax_id')`;

/** SQL: somebody for whom the payer has paid is not erased. */
const paysForOthers = `exists (select from collective_invoices k cross join jsonb_array_elements(k.document -> 'treatments') t
  left join orders o on o.clinic_id = k.clinic_id and o.id = (t ->> 'order_id')::uuid
  left join patients e on e.clinic_id = o.clinic_id and e.id = o.patient_id
  where k.clinic_id = $1 and k.document #>> '{recipient,tax_id}' = payer ->> 'tax_id' and e.erased_at is null)`;

/** Returns the payers of earlier invoices by name, each as the last one named it. Nobody is suggested who is erased. */
export async function knownPayers(sql: Sql, clinicId: number, limit: number): Promise<Recipient[]> {
  const rows = await rowsOf<{ payer: Recipient }>(
    sql,
    'payers',
    `select payer from (
       select distinct on (document #>> '{recipient,tax_id}') document -> 'recipient' as payer from collective_invoices
       where clinic_id = $1 order by document #>> '{recipient,tax_id}', issued_at desc, id desc) p
     where ${paysForOthers} and not (${isErasedPerson})
     order by lower(payer ->> 'name') limit $2`,
    [clinicId, limit],
  );
  return rows.map(({ payer }) => payer);
}
