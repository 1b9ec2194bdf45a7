/** Alerts in SQL. */
import { defaultSettings } from '#domain/settings/settings.ts';
import type { AlertCondition } from '#domain/stock/alerts.ts';
import type { StockAlertResource, StockAlertStats } from '#domain/stock/resources.ts';
import { isoOf } from '#domain/instant.ts';
import { amountOf, isoText, quantityOf, rowsOf } from '#server/db/sql.ts';
import type { Sql } from '#server/db/sql.ts';

interface Level {
  stockId: number;
  quantityMilli: number;
  thresholdMilli: number;
}

/** The alert that an item, or one of its lots, should have now; `call` null: none. */
export interface Standing extends Level {
  lotId: number | null;
  call: AlertCondition | null;
}

/**
 * Locks items. An item's alerts change only under the item's lock, so the level cannot change while an alert is
 * decided.
 */
export async function lockAlertedItems(sql: Sql, clinicId: number, stockIds: readonly number[]): Promise<void> {
  await sql.query({
    name: 'lock alerted items',
    text: 'select 1 from stock_items where clinic_id = $1 and id = any($2::int[]) order by id for no key update',
    values: [clinicId, stockIds],
  });
}

const standingJson = `case when a.id is not null then json_build_object('type', a.type, 'severity', a.severity) end`;
const levelColumns = `i.quantity_milli::float8 as "quantityMilli", i.low_stock_threshold_milli::float8 as "thresholdMilli"`;

/** Returns the levels of these items, or of all, each with its open alert. */
export function loadLevels(sql: Sql, clinicId: number, stockIds: readonly number[] | null) {
  return rowsOf<Level & { standing: AlertCondition | null; isKept: boolean }>(
    sql,
    'alert levels',
    `select i.id as "stockId", ${levelColumns}, i.deleted_at is null and i.is_stocked as "isKept", ${standingJson} as standing
     from stock_items i left join stock_alerts a
       on a.clinic_id = i.clinic_id and a.stock_id = i.id and a.lot_id is null and a.ended_at is null
     where i.clinic_id = $1 and ($2::int[] is null or i.id = any($2))`,
    [clinicId, stockIds],
  );
}

/** Returns the lots of these items, or of all, that have a remainder or an open alert. */
export function loadLots(sql: Sql, clinicId: number, stockIds: readonly number[] | null) {
  return rowsOf<
    Level & {
      standing: AlertCondition | null;
      isKept: boolean;
      lot: { id: number; remainingMilli: number; expiresOn: string | null };
    }
  >(
    sql,
    'alert lots',
    `select l.stock_id as "stockId", ${levelColumns}, i.deleted_at is null and i.is_stocked and i.tracks_lots as "isKept", ${standingJson} as standing,
       json_build_object('id', l.id, 'remainingMilli', l.remaining_milli, 'expiresOn', l.expires_on) as lot
     from stock_lots l join stock_items i on i.clinic_id = l.clinic_id and i.id = l.stock_id left join stock_alerts a
       on a.clinic_id = l.clinic_id and a.stock_id = l.stock_id and a.lot_id = l.id and a.ended_at is null
     where l.clinic_id = $1 and ($2::int[] is null or l.stock_id = any($2)) and (l.remaining_milli > 0 or a.id is not null)`,
    [clinicId, stockIds],
  );
}

/**
 * Ends the open alerts that no longer apply to these items and lots and raises the ones that apply now, in one
 * statement. Repeating it changes nothing. Callers hold the items' locks.
 */
export async function settleAlerts(
  sql: Sql,
  clinicId: number,
  atMs: number,
  standings: readonly Standing[],
): Promise<void> {
  if (standings.length === 0) return;
  const rows = standings.map(({ stockId, lotId, call, quantityMilli, thresholdMilli }) => ({
    stock_id: stockId,
    lot_id: lotId,
    type: call?.type ?? null,
    severity: call?.severity ?? null,
    quantity_milli: quantityMilli,
    threshold_milli: thresholdMilli,
  }));
  await sql.query({
    name: 'settle alerts',
    // The insert reads `ended`, so PostgreSQL ends alerts before it raises new ones: only one may be open at a time.
    text: `with now as (
             select * from json_to_recordset($2::json)
               as r(stock_id int, lot_id int, type text, severity text, quantity_milli bigint, threshold_milli bigint)
           ), ended as (
             update stock_alerts a set ended_at = $3, status = 'resolved', resolved_at = coalesce(a.resolved_at, $3)
             from now where a.clinic_id = $1 and a.stock_id = now.stock_id and coalesce(a.lot_id, 0) = coalesce(now.lot_id, 0)
               and a.ended_at is null and (a.type, a.severity) is distinct from (now.type, now.severity)
             returning a.id
           )
           insert into stock_alerts (clinic_id, stock_id, lot_id, type, severity, quantity_milli, threshold_milli, created_at)
           select $1, stock_id, lot_id, type, severity, quantity_milli, threshold_milli, $3 from now
           where type is not null and (select count(*) from ended) >= 0
           order by stock_id, lot_id
           on conflict do nothing`,
    values: [clinicId, JSON.stringify(rows), isoOf(atMs)],
  });
}

const documentJson = `json_build_object(
  'id', a.id, 'stock_id', a.stock_id,
  'Stock', json_build_object('name', s.name, 'unit', s.unit, 'supplier', s.supplier, 'supplier_contact', s.supplier_contact,
    'cost_per_unit', ${amountOf('s.cost_minor')}, 'last_restocked_at', ${isoText('s.last_restocked_at')}),
  'alert_type', a.type, 'severity', a.severity, 'status', a.status, 'resolved', a.resolved_at is not null,
  'current_quantity', ${quantityOf('s.quantity_milli')}, 'threshold_quantity', ${quantityOf('a.threshold_milli')}, 'unit', s.unit,
  'lot', case when l.id is not null then json_build_object('id', l.id, 'lot_number', l.lot_number, 'expires_on', l.expires_on,
    'remaining', ${quantityOf('l.remaining_milli')}) end,
  'created_at', ${isoText('a.created_at')}, 'acknowledged_at', ${isoText('a.acknowledged_at')}, 'acknowledged_by', seen.name,
  'resolved_at', ${isoText('a.resolved_at')}, 'resolved_by', done.name)`;

const joined = `join stock_items s on s.clinic_id = a.clinic_id and s.id = a.stock_id
  left join stock_lots l on l.clinic_id = a.clinic_id and l.id = a.lot_id
  left join users seen on seen.clinic_id = a.clinic_id and seen.id = a.acknowledged_by
  left join users done on done.clinic_id = a.clinic_id and done.id = a.resolved_by`;

const conditions = { open: 'resolved_at is null', resolved: 'resolved_at is not null', all: 'true' } as const;
export type AlertFilter = keyof typeof conditions;

/** Returns open alerts first, then resolved ones; within each, the newest first. */
export async function listAlerts(
  sql: Sql,
  clinicId: number,
  filter: AlertFilter,
  { limit, offset }: { limit: number; offset: number },
): Promise<{ rows: StockAlertResource[]; total: number }> {
  const from = `from stock_alerts where clinic_id = $1 and ${conditions[filter]}`;
  const [counted] = await rowsOf<{ total: number }>(
    sql,
    `count alerts ${filter}`,
    `select count(*)::int as total ${from}`,
    [clinicId],
  );
  const rows = await rowsOf<{ row: StockAlertResource }>(
    sql,
    `list alerts ${filter}`,
    `select ${documentJson} as row from (select * ${from} order by resolved_at desc, id desc limit $2 offset $3) a ${joined}
     order by a.resolved_at desc, a.id desc`,
    [clinicId, limit, offset],
  );
  return { rows: rows.map(({ row }) => row), total: counted!.total };
}

/** Returns the counts of the open alerts. */
export async function alertStats(sql: Sql, clinicId: number): Promise<StockAlertStats> {
  const [stats] = await rowsOf<StockAlertStats>(
    sql,
    'alert stats',
    `select count(*)::int as total, count(*) filter (where severity = 'high')::int as high,
       count(*) filter (where severity = 'medium')::int as medium, count(*) filter (where status = 'acknowledged')::int as acknowledged
     from stock_alerts where clinic_id = $1 and resolved_at is null`,
    [clinicId],
  );
  return stats!;
}

/** Returns an alert's status and item, and locks the alert. */
export async function lockAlert(
  sql: Sql,
  clinicId: number,
  alertId: number,
): Promise<{ status: string; stockId: number } | undefined> {
  const [alert] = await rowsOf<{ status: string; stockId: number }>(
    sql,
    'alert to change',
    `select status, stock_id as "stockId" from stock_alerts where clinic_id = $1 and id = $2 for no key update`,
    [clinicId, alertId],
  );
  return alert;
}

const stepColumns = {
  acknowledged: 'acknowledged_at = $3, acknowledged_by = $4',
  resolved: 'resolved_at = $3, resolved_by = $4',
} as const;

export async function setAlertStatus(
  sql: Sql,
  clinicId: number,
  alertId: number,
  { status, userId, atMs }: { status: keyof typeof stepColumns; userId: number; atMs: number },
): Promise<void> {
  await sql.query({
    name: `alert ${status}`,
    text: `update stock_alerts set status = '${status}', ${stepColumns[status]} where clinic_id = $1 and id = $2`,
    values: [clinicId, alertId, isoOf(atMs), userId],
  });
}

export async function loadAlert(sql: Sql, clinicId: number, alertId: number): Promise<StockAlertResource | undefined> {
  const [row] = await rowsOf<{ row: StockAlertResource }>(
    sql,
    'alert by id',
    `select ${documentJson} as row from stock_alerts a ${joined} where a.clinic_id = $1 and a.id = $2`,
    [clinicId, alertId],
  );
  return row?.row;
}

/** Returns every clinic with its time zone. */
export async function clinicTimeZones(sql: Sql): Promise<{ id: number; timeZone: string }[]> {
  return rowsOf(
    sql,
    'clinics to sweep',
    `select c.id, coalesce(s.data ->> 'time_zone', '${defaultSettings.time_zone}') as "timeZone" from clinics c left join settings s on s.clinic_id = c.id order by c.id`,
    [],
  );
}
