/**
 * Writes changed cash drawers, and makes their reports. The caller holds the locks of the drawers.
 */
import type { Drawer } from '#domain/drawer/drawer.ts';
import { drawerRowResource, reportResource } from '#domain/drawer/resource.ts';
import type { DrawerReportResource, DrawerRow, DrawerRowResource } from '#domain/drawer/resource.ts';
import type { DrawerOperation } from '#domain/drawer/operations.ts';
import { cashShares, drawerReport, paymentsByDrawer } from '#domain/drawer/report.ts';
import type { CashShares } from '#domain/drawer/report.ts';
import type { Sql } from '#server/db/sql.ts';
import { kindAudits } from '#domain/protocol/kinds.ts';
import { recordAudit } from '../audit/service.ts';
import { cashPayments, paymentsDuring } from './payments-store.ts';
import { drawersOpenIn, drawerTimesIn, overlappingDrawers, saveDrawers } from './store.ts';
import type { Span } from './store.ts';

export {
  currentDrawer,
  feedDrawers,
  listOpenDrawers,
  loadDrawers,
  recentDrawers,
  touchClosedDrawers,
} from './store.ts';

/** The effect of one operation on a drawer. */
export interface DrawerStep {
  before: Drawer | null;
  after: Drawer;
  operation: DrawerOperation;
  /** Milliseconds since 1970. */
  atMs: number;
}

/** The clinic, and whose session sent the operations of a device. */
interface Batch {
  clinicId: number;
  uploadedBy?: number | undefined;
}

/** Writes each drawer as it is after its last step, and audits every step. */
export async function writeDrawers(
  sql: Sql,
  { clinicId, uploadedBy }: Batch,
  steps: readonly DrawerStep[],
): Promise<void> {
  const changes = new Map<string, { before: Drawer | null; after: Drawer }>();
  for (const { before, after } of steps)
    changes.set(after.id, { before: changes.get(after.id)?.before ?? before, after });
  await saveDrawers(sql, clinicId, [...changes.values()]);
  for (const step of steps) await audit(sql, { clinicId, uploadedBy }, step);
}

/** Records who moved how much. The reason is free text, which may name a patient, so only the movement has it. */
async function audit(sql: Sql, { clinicId, uploadedBy }: Batch, { operation, atMs }: DrawerStep): Promise<void> {
  const { kind, payload, actor_id, device_id } = operation;
  await recordAudit(
    sql,
    { clinicId, userId: actor_id, deviceId: device_id, uploadedBy },
    { action: kindAudits[kind].writes, subject: payload.drawer_id, details: auditDetails(operation), at: atMs },
  );
}

function auditDetails({ kind, payload }: DrawerOperation): Record<string, string | number> {
  switch (kind) {
    case 'drawer.open':
      return { float: payload.float };
    case 'drawer.move':
      return { direction: payload.direction, amount: payload.amount };
    case 'drawer.close':
      return { ...payload.counted };
  }
}

/** A drawer and its Z report. */
export interface ReportedDrawer extends DrawerRowResource {
  report: DrawerReportResource;
}

export async function reportDrawers(sql: Sql, clinicId: number, rows: readonly DrawerRow[]): Promise<ReportedDrawer[]> {
  if (rows.length === 0) return [];
  const ids = rows.map(({ id }) => id);
  const overlapping = await overlappingDrawers(sql, clinicId, ids);
  const payments = paymentsByDrawer(overlapping, await paymentsDuring(sql, clinicId, ids));
  return rows.map((row) => {
    const report = drawerReport(row, payments.get(row.id) ?? [], row.devices);
    return { ...drawerRowResource(row), report: reportResource(report) };
  });
}

/** A business day, its time span and the currency that a report of it is in. */
export interface BusinessDay extends Span {
  day: string;
  currency: string;
}

/** Divides the cash of a business day among the drawers, as far as it is in the report's currency. */
export async function readCashShares(
  sql: Sql,
  clinicId: number,
  { day, currency, ...span }: BusinessDay,
): Promise<CashShares> {
  const payments = await cashPayments(sql, clinicId, { day, currency });
  // A clinic that has moved to another time zone has payments outside the span of their day.
  const fromMs = payments.reduce((first, { atMs }) => Math.min(first, atMs), span.fromMs);
  const untilMs = payments.reduce((last, { atMs }) => Math.max(last, atMs + 1), span.untilMs);
  return cashShares(await drawerTimesIn(sql, clinicId, { fromMs, untilMs }), payments);
}

/** The drawers that were open on a business day, as far as one reply can list them, and the day's cash. */
export interface DrawerDay {
  drawers: ReportedDrawer[];
  count: number;
  cash: CashShares;
}

export async function readDrawerDay(sql: Sql, clinicId: number, day: BusinessDay): Promise<DrawerDay> {
  return {
    drawers: await reportDrawers(sql, clinicId, await drawersOpenIn(sql, clinicId, day)),
    count: (await drawerTimesIn(sql, clinicId, day)).length,
    cash: await readCashShares(sql, clinicId, day),
  };
}
