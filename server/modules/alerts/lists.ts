/** Alerts as staff see them, and what a person does about one. */
import type { StockAlertResource, StockAlertStats } from '../../../domain/stock/resources.ts';
import { accept, refuse } from '../../../domain/result.ts';
import type { Result } from '../../../domain/result.ts';
import { isoOf, rowsOf } from '../../db/sql.ts';
import type { Sql } from '../../db/sql.ts';
import { amountOf, isoText, quantityOf } from '../../db/wire.ts';
import { recordAudit } from '../audit/service.ts';
import type { Actor } from '../audit/service.ts';

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

/** What is open first, the newest leading; then what was resolved, the last leading. */
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

/** How many are open. */
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

const steps = {
  acknowledge: {
    status: 'acknowledged',
    set: 'acknowledged_at = $3, acknowledged_by = $4',
    audit: 'alert.acknowledge',
  },
  resolve: { status: 'resolved', set: 'resolved_at = $3, resolved_by = $4', audit: 'alert.resolve' },
} as const;
export type AlertStep = keyof typeof steps;

/** What a person does about an alert. Doing it again changes nothing; what is resolved cannot be acknowledged any more. */
export async function takeStep(
  sql: Sql,
  actor: Actor & { userId: number },
  alertId: number,
  step: AlertStep,
  atMs: number,
): Promise<Result<StockAlertResource>> {
  const { clinicId, userId } = actor;
  const { status, set, audit } = steps[step];
  const [alert] = await rowsOf<{ status: string; stockId: number }>(
    sql,
    'alert to change',
    `select status, stock_id as "stockId" from stock_alerts where clinic_id = $1 and id = $2 for no key update`,
    [clinicId, alertId],
  );
  if (!alert) return refuse('ALERT_NOT_FOUND');
  if (alert.status === 'resolved' && step === 'acknowledge') return refuse('ALERT_RESOLVED');
  if (alert.status !== status) {
    await sql.query({
      name: `alert ${step}`,
      text: `update stock_alerts set status = '${status}', ${set} where clinic_id = $1 and id = $2`,
      values: [clinicId, alertId, isoOf(atMs), userId],
    });
    await recordAudit(sql, actor, {
      action: audit,
      subject: String(alertId),
      details: { stock_id: alert.stockId },
      at: atMs,
    });
  }
  const [changed] = await rowsOf<{ row: StockAlertResource }>(
    sql,
    'alert by id',
    `select ${documentJson} as row from stock_alerts a ${joined} where a.clinic_id = $1 and a.id = $2`,
    [clinicId, alertId],
  );
  return accept(changed!.row);
}
