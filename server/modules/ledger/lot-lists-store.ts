/** Lists of lots, and the treatments that used them, for a maker's recall. */
import { businessDay, daysAfter } from '#domain/business-day.ts';
import type { LotResource, LotRecipient, RecalledLot } from '#domain/stock/resources.ts';
import { isoText, likeText, quantityOf, rowsOf } from '#server/db/sql.ts';
import type { Sql } from '#server/db/sql.ts';
import type { Part } from '#server/db/page.ts';

export interface LotFilter {
  stockId?: number | undefined;
  /** The beginning of a lot number, in any case. */
  search?: string | undefined;
  /** Restricts the list to lots with stock left that have expired or will within this many days. */
  expiringDays?: number | undefined;
}

const lotJson = `json_build_object('id', l.id, 'stock_id', l.stock_id, 'name', s.name, 'unit', s.unit, 'lot_number', l.lot_number,
  'expires_on', l.expires_on, 'received', ${quantityOf('l.received_milli')}, 'remaining', ${quantityOf('l.remaining_milli')},
  'received_at', ${isoText('l.received_at')})`;

/** Builds a `LotRecipient`: the quantity that one line of a treatment drew from a lot. */
const recipientJson = `json_build_object('order_id', o.id, 'order_number', o.number, 'customer_name', o.customer_name,
  'quantity', ${quantityOf('-m.change_milli')}, 'used_at', ${isoText('t.effective_at')})`;

const recipientsOf = `from stock_lot_movements m join orders o on o.clinic_id = m.clinic_id and o.id = m.order_id
  join stock_transactions t on t.clinic_id = m.clinic_id and t.id = m.transaction_id where m.clinic_id = l.clinic_id and m.lot_id = l.id`;

/** Returns a page of lots in the order of use, first to expire first, and used-up lots last. */
export async function listLots(
  sql: Sql,
  clinicId: number,
  { stockId, search, expiringDays }: LotFilter,
  { nowMs, timeZone, limit, offset }: Part & { nowMs: number; timeZone: string },
): Promise<{ rows: LotResource[]; total: number }> {
  const values: unknown[] = [clinicId];
  const conditions = ['l.clinic_id = $1'];
  const where = (comparison: string, value: unknown) => conditions.push(`${comparison} $${values.push(value)}`);
  if (stockId !== undefined) where('l.stock_id =', stockId);
  if (search) where('lower(l.lot_number) like', `${likeText(search.toLowerCase())}%`);
  if (expiringDays !== undefined) {
    conditions.push('l.remaining_milli > 0');
    where('l.expires_on <=', daysAfter(businessDay(nowMs, timeZone), expiringDays));
  }
  const from = `from stock_lots l join stock_items s on s.clinic_id = l.clinic_id and s.id = l.stock_id where ${conditions.join(' and ')}`;
  const { rows: counted } = await sql.query(`select count(*)::int as total ${from}`, values);
  const { rows } = await sql.query(
    `select ${lotJson} as row ${from} order by l.remaining_milli = 0, l.expires_on nulls last, l.received_at, l.id limit ${limit} offset ${offset}`,
    values,
  );
  return {
    rows: (rows as { row: LotResource }[]).map(({ row }) => row),
    total: (counted[0] as { total: number }).total,
  };
}

/** Returns the treatments that used a lot, latest first; null when the clinic has no such lot. */
export async function lotRecipients(sql: Sql, clinicId: number, lotId: number): Promise<LotRecipient[] | null> {
  const [lot] = await rowsOf<{ recipients: LotRecipient[] }>(
    sql,
    'lot recipients',
    `select (select coalesce(json_agg(${recipientJson} order by t.effective_at desc, o.id), '[]'::json) ${recipientsOf}) as recipients
     from stock_lots l where l.clinic_id = $1 and l.id = $2`,
    [clinicId, lotId],
  );
  return lot?.recipients ?? null;
}

/** Returns every lot of this number, in any case, with the treatments that used it. */
export async function recallLots(sql: Sql, clinicId: number, lotNumber: string): Promise<RecalledLot[]> {
  const rows = await rowsOf<{ lot: LotResource; recipients: LotRecipient[] }>(
    sql,
    'recall lots',
    `select ${lotJson} as lot,
       (select coalesce(json_agg(${recipientJson} order by t.effective_at desc, o.id), '[]'::json) ${recipientsOf}) as recipients
     from stock_lots l join stock_items s on s.clinic_id = l.clinic_id and s.id = l.stock_id
     where l.clinic_id = $1 and lower(l.lot_number) = lower($2) order by l.received_at desc, l.id limit 100`,
    [clinicId, lotNumber],
  );
  return rows.map(({ lot, recipients }) => ({ ...lot, recipients }));
}
