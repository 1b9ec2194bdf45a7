/** Reads whole treatments and the numbers of documents, and erases what treatments say of a patient. `changes-store.ts` writes them. */
import type { Cancel, Change, Correction, Order, OrderLine, Payment } from '#domain/order/order.ts';
import { measured, readPart } from '#server/db/page.ts';
import type { Measured, Part } from '#server/db/page.ts';
import { jsonFields } from '#server/db/read.ts';
import type { JsonFields } from '#server/db/read.ts';
import { orderCancels, orderChanges, orderLines, orders, payments } from '#server/db/schema/orders.ts';
import { likeText, rowsOf } from '#server/db/sql.ts';
import type { Sql } from '#server/db/sql.ts';

/** A column that may be null, where the domain's value is there in each row that is read. */
type Nullable<Row> = { [Field in keyof Row]: Row[Field] | null };

type Facts = 'lines' | 'removedLines' | 'payments' | 'cancels' | 'changes' | 'invoices';

const lineFields: JsonFields<Omit<OrderLine, 'tax'>> = jsonFields(
  orderLines,
  'l',
  ['stockId', 'productId', 'name', 'quantityMilli', 'unitPriceMinor', 'notes', 'opId', 'position', 'replaces'],
  { lineId: 'id' },
);

/** A line has a tax only under a tax profile. */
const lineJson = `case when l.tax is null then json_build_object(${lineFields}) else json_build_object(${lineFields}, 'tax', l.tax) end`;

const linesJson = (condition: string) => `(select coalesce(json_agg(${lineJson} order by l.position, l.id), '[]'::json)
    from order_lines l where l.clinic_id = o.clinic_id and l.order_id = o.id and ${condition})`;

const cancelFields: JsonFields<Omit<Cancel, 'correction'>> = jsonFields(
  orderCancels,
  'c',
  ['opId', 'reason', 'actorId'],
  { atMs: 'effectiveAt' },
);

const correctionFields: JsonFields<Nullable<Correction>> = jsonFields(orderCancels, 'c', ['creditNote', 'deviceId'], {
  number: 'creditNoteNumber',
  isAnnulled: 'annulled',
});

/** A cancel has a correction, all of it, only where the treatment was invoiced. */
const cancelJson = `case when c.credit_note is null then json_build_object(${cancelFields})
  else json_build_object(${cancelFields}, 'correction', json_build_object(${correctionFields})) end`;

const paymentFields: JsonFields<Payment> = jsonFields(
  payments,
  'p',
  [
    'opId',
    'method',
    'amountMinor',
    'tenderedMinor',
    'changeMinor',
    'reference',
    'creditNoteNumber',
    'creditNote',
    'reason',
    'refundedLines',
    'allowances',
    'reductionMinor',
    'actorId',
    'deviceId',
  ],
  { paymentId: 'id', isStillOwed: 'stillOwed', atMs: 'effectiveAt' },
);

const changeFields: JsonFields<Change> = jsonFields(
  orderChanges,
  'c',
  ['opId', 'removedIds', 'fields', 'actorId', 'deviceId', 'deviceSeq'],
  { atMs: 'effectiveAt' },
);

/** What a treatment says of itself; its facts have tables of their own. An operation has created each one that is read. */
const ownFields: JsonFields<Nullable<Omit<Order, Facts | 'isErased'>>> = jsonFields(orders, 'o', [
  'id',
  'opId',
  'number',
  'type',
  'customerName',
  'patientId',
  'roomId',
  'roomNumber',
  'notes',
  'addedNotes',
  'currency',
  'discountMinor',
  'agreedDiscountMinor',
  'discountReason',
  'chargeMinor',
  'createdAt',
  'createdBy',
  'deviceId',
]);

const orderFields = `${ownFields},
  'lines', ${linesJson('not l.removed')}, 'removedLines', ${linesJson('l.removed')},
  'payments', (select coalesce(json_agg(json_build_object(${paymentFields}) order by p.position), '[]'::json)
    from payments p where p.clinic_id = o.clinic_id and p.order_id = o.id),
  'cancels', (select coalesce(json_agg(${cancelJson} order by c.position), '[]'::json)
    from order_cancels c where c.clinic_id = o.clinic_id and c.order_id = o.id),
  'changes', (select coalesce(json_agg(json_build_object(${changeFields}) order by c.position), '[]'::json)
    from order_changes c where c.clinic_id = o.clinic_id and c.order_id = o.id),
  'invoices', (select coalesce(json_agg(i.document::json order by i.position), '[]'::json)
    from invoices i where i.clinic_id = o.clinic_id and i.order_id = o.id)`;

/** The domain's `Order`, built by PostgreSQL so that a page of treatments takes one round trip. */
const orderJson = `case when exists (select from patient_erasures e where e.clinic_id = o.clinic_id and e.patient_id = o.patient_id)
  then json_build_object(${orderFields}, 'isErased', true) else json_build_object(${orderFields}) end`;

export async function loadOrders(sql: Sql, clinicId: number, ids: readonly string[]): Promise<Map<string, Order>> {
  if (ids.length === 0) return new Map();
  const rows = await rowsOf<{ order: Order }>(
    sql,
    'orders by id',
    `select ${orderJson} as "order" from orders o where o.clinic_id = $1 and o.id = any($2::uuid[])`,
    [clinicId, ids],
  );
  return new Map(rows.map(({ order }) => [order.id, order]));
}

export interface OrderFilter extends Part {
  status?: string | undefined;
  type?: string | undefined;
  search?: string | undefined;
  /** The first and the last business day. */
  from?: string | undefined;
  to?: string | undefined;
  /** Whether the search also matches names. */
  byName: boolean;
}

/**
 * Returns a page of treatments, newest first, and the total. The search matches the name, the number and invoice
 * numbers.
 */
export async function listOrders(
  sql: Sql,
  clinicId: number,
  filter: OrderFilter,
): Promise<{ orders: Order[]; total: number }> {
  const where = `o.clinic_id = $1 and ($2::text is null or o.status = $2) and ($5::text is null or o.type = $5)
    and ($6::date is null or o.business_day >= $6) and ($7::date is null or o.business_day <= $7) and ($3::text is null or o.number ilike $3 || '%' or ($4::boolean and o.customer_name ilike $3 || '%')
    or o.id in (select i.order_id from invoices i where i.clinic_id = $1 and i.number ilike $3 || '%'))`;
  const search = filter.search ? likeText(filter.search) : null;
  const { status = null, type = null, from = null, to = null, byName } = filter;
  const values = [clinicId, status, search, byName, type, from, to];
  const { rows: counted } = await sql.query(`select count(*)::int as total from orders o where ${where}`, values);
  const listed = await readPart(filter, ({ limit, offset }) =>
    rowsOf<Measured<Order>>(
      sql,
      'orders page',
      measured(`select ${orderJson} as row from (select * from orders o where ${where} order by o.created_at desc, o.id limit $8 offset $9) o
       order by o.created_at desc, o.id`),
      [...values, limit, offset],
    ),
  );
  return { orders: listed, total: counted[0].total as number };
}

/** Returns a page of one patient's treatments, newest first, and the total. */
export async function patientTreatments(
  sql: Sql,
  clinicId: number,
  { patientId, ...part }: Part & { patientId: string },
): Promise<{ orders: Order[]; total: number }> {
  const counted = await rowsOf<{ total: number }>(
    sql,
    'treatments of a patient counted',
    'select count(*)::int as total from orders where clinic_id = $1 and patient_id = $2',
    [clinicId, patientId],
  );
  const treatments = await readPart(part, ({ limit, offset }) =>
    rowsOf<Measured<Order>>(
      sql,
      'treatments of a patient',
      measured(`select ${orderJson} as row from (select * from orders where clinic_id = $1 and patient_id = $2 order by created_at desc, id desc limit $3 offset $4) o
       order by o.created_at desc, o.id desc`),
      [clinicId, patientId, limit, offset],
    ),
  );
  return { orders: treatments, total: counted[0]!.total };
}

/** Returns the treatments of patients, oldest first. */
export function treatmentIdsOf(
  sql: Sql,
  clinicId: number,
  patientIds: readonly string[],
): Promise<{ id: string; patientId: string }[]> {
  return rowsOf(
    sql,
    'treatment ids of patients',
    'select id, patient_id as "patientId" from orders where clinic_id = $1 and patient_id = any($2::uuid[]) order by created_at, id',
    [clinicId, patientIds],
  );
}

/** Removes the name, notes, references and reasons of treatments. Documents, sums and numbers stay. */
export async function eraseTexts(sql: Sql, clinicId: number, orderIds: readonly string[]): Promise<void> {
  const emptied = async (table: string, key: string, columns: readonly string[]) => {
    await sql.query({
      name: `erase ${table}`,
      text: `update ${table} set ${columns.map((column) => `${column} = ''`).join(', ')}
             where clinic_id = $1 and ${key} = any($2::uuid[]) and (${columns.map((column) => `${column} <> ''`).join(' or ')})`,
      values: [clinicId, orderIds],
    });
  };
  await emptied('order_lines', 'order_id', ['notes']);
  await emptied('payments', 'order_id', ['reference', 'reason']);
  await emptied('order_cancels', 'order_id', ['reason']);
  // Writes the row of every treatment, so that the feed brings the changed facts.
  await sql.query({
    name: 'erase orders',
    text: `update orders set customer_name = '', notes = '', added_notes = '[]', discount_reason = '' where clinic_id = $1 and id = any($2::uuid[])`,
    values: [clinicId, orderIds],
  });
}

/** The invoice or credit note that an operation issued, as the field of its payload. @param receipt the alias of the receipt */
export const documentIssuedBy = (receipt: string): string => `coalesce(
  (select jsonb_build_object('invoice', i.document - 'op_id' - 'device_id') from invoices i
   where i.clinic_id = ${receipt}.clinic_id and i.op_id = ${receipt}.op_id
     and i.order_id = case when ${receipt}.aggregate ~ '^order:[0-9a-f-]{36}$' then substr(${receipt}.aggregate, 7)::uuid end limit 1),
  (select jsonb_build_object('credit_note', p.credit_note) from payments p
   where p.clinic_id = ${receipt}.clinic_id and p.op_id = ${receipt}.op_id and p.credit_note is not null),
  (select jsonb_build_object('credit_note', c.credit_note) from order_cancels c
   where c.clinic_id = ${receipt}.clinic_id and c.op_id = ${receipt}.op_id and c.credit_note is not null),
  '{}')`;

/** Selects treatments for the change feed, which adds the conditions (`feed/selection-store.ts`). */
export const feedOrders = `select o.xid::text as xid, o.id::text as id, ${orderJson} as row from orders o`;

/** Returns the numbers that stored treatments, invoices or refunds carry. */
export async function numbersInUse(
  sql: Sql,
  clinicId: number,
  { treatments, invoices, creditNotes }: Record<'treatments' | 'invoices' | 'creditNotes', readonly string[]>,
): Promise<Set<string>> {
  const rows = await rowsOf<{ number: string }>(
    sql,
    'numbers in use',
    // Joins use the index for each number; `= any` in a prepared statement would scan the list for every row.
    `select number from unnest($2::text[]) as given(number) join orders using (number) where clinic_id = $1
     union all select number from unnest($3::text[]) as given(number) join invoices using (number) where clinic_id = $1
     union all select given.number from unnest($4::text[]) as given(number) join order_cancels on credit_note_number = given.number
       where clinic_id = $1
     union all select given.number from unnest($4::text[]) as given(number) join payments on credit_note_number = given.number
       where clinic_id = $1`,
    [clinicId, treatments, invoices, creditNotes],
  );
  return new Set(rows.map(({ number }) => number));
}
