/** Drawers and their reports on the wire, and the way back. Money is a wire decimal there. */
import { minorFromWire, minorToWire } from '../money.ts';
import type { ByMethod, Drawer, DrawerMovement } from './drawer.ts';
import type { DrawerDevice, DrawerReport, Sum } from './report.ts';

export interface MovementDocument {
  op_id: string;
  /** Negative: taken out. */
  amount: number;
  reason: string;
  actor_id: number;
  created_at: string;
}

export interface DrawerDocument {
  id: string;
  device_id: number;
  float: number;
  opened_at: string;
  opened_by: number;
  closed_at: string | null;
  closed_by: number | null;
  counted: ByMethod | null;
  notes: string;
  movements: MovementDocument[];
}

export interface DrawerDeviceDocument {
  id: number | null;
  code: string;
  name: string;
  last_seen_at: string | null;
  cleared_at: string | null;
  waiting: number;
}

/** A drawer with what is known around it: as the feed and the lists carry it. */
export interface DrawerRowDocument extends DrawerDocument {
  /** The code of the device that opened it. */
  device_code: string;
  /** The names of those who worked with it, by id. */
  people: Record<string, string>;
  /** Those that may have worked into it. */
  devices: DrawerDeviceDocument[];
}

/** The same inside. */
export interface DrawerRow extends Drawer {
  deviceCode: string;
  people: Record<string, string>;
  devices: DrawerDevice[];
}

const iso = (ms: number): string => new Date(ms).toISOString();
const isoOrNull = (ms: number | null): string | null => (ms === null ? null : iso(ms));
const msOrNull = (text: string | null): number | null => (text === null ? null : Date.parse(text));

const mapMethods = (amounts: ByMethod, change: (amount: number) => number): ByMethod => ({
  cash: change(amounts.cash),
  card: change(amounts.card),
  insurance: change(amounts.insurance),
  others: change(amounts.others),
});

const movementDocument = ({ opId, amountMinor, reason, actorId, atMs }: DrawerMovement): MovementDocument => ({
  op_id: opId,
  amount: minorToWire(amountMinor),
  reason,
  actor_id: actorId,
  created_at: iso(atMs),
});

const movementFromDocument = ({ op_id, amount, reason, actor_id, created_at }: MovementDocument): DrawerMovement => ({
  opId: op_id,
  amountMinor: minorFromWire(amount),
  reason,
  actorId: actor_id,
  atMs: Date.parse(created_at),
});

export function drawerDocument({
  id,
  deviceId,
  floatMinor,
  openedAtMs,
  openedBy,
  movements,
  close,
}: Drawer): DrawerDocument {
  return {
    id,
    device_id: deviceId,
    float: minorToWire(floatMinor),
    opened_at: iso(openedAtMs),
    opened_by: openedBy,
    closed_at: isoOrNull(close?.atMs ?? null),
    closed_by: close?.actorId ?? null,
    counted: close && mapMethods(close.counted, minorToWire),
    notes: close?.notes ?? '',
    movements: movements.map(movementDocument),
  };
}

export function drawerRowDocument(row: DrawerRow): DrawerRowDocument {
  return {
    ...drawerDocument(row),
    device_code: row.deviceCode,
    people: row.people,
    devices: row.devices.map(({ id, code, name, lastSeenAtMs, clearedAtMs, waiting }) => ({
      id,
      code,
      name,
      last_seen_at: isoOrNull(lastSeenAtMs),
      cleared_at: isoOrNull(clearedAtMs),
      waiting,
    })),
  };
}

export function drawerRowFromDocument(document: DrawerRowDocument): DrawerRow {
  const { closed_at, closed_by, counted } = document;
  return {
    id: document.id,
    deviceId: document.device_id,
    floatMinor: minorFromWire(document.float),
    openedAtMs: Date.parse(document.opened_at),
    openedBy: document.opened_by,
    movements: document.movements.map(movementFromDocument),
    close:
      closed_at !== null && closed_by !== null && counted !== null
        ? {
            atMs: Date.parse(closed_at),
            actorId: closed_by,
            counted: mapMethods(counted, minorFromWire),
            notes: document.notes,
          }
        : null,
    deviceCode: document.device_code,
    people: document.people,
    devices: document.devices.map(({ id, code, name, last_seen_at, cleared_at, waiting }) => ({
      id,
      code,
      name,
      lastSeenAtMs: msOrNull(last_seen_at),
      clearedAtMs: msOrNull(cleared_at),
      waiting,
    })),
  };
}

interface SumDocument {
  count: number;
  amount: number;
}

/** `GET /drawers/{id}/report`: the Z report. */
export interface DrawerReportDocument {
  expected: ByMethod;
  counted: ByMethod | null;
  difference: ByMethod | null;
  sales: SumDocument;
  refunds: SumDocument;
  discounts: SumDocument;
  movements: (MovementDocument & { is_late: boolean })[];
  invoices: { first: string; last: string; count: number }[];
  is_final: boolean;
  awaits: { device_id: number | null; code: string; name: string; since: string | null; waiting: number }[];
}

const sumDocument = ({ count, amountMinor }: Sum): SumDocument => ({ count, amount: minorToWire(amountMinor) });
const sumFromDocument = ({ count, amount }: SumDocument): Sum => ({ count, amountMinor: minorFromWire(amount) });

export function reportDocument(report: DrawerReport): DrawerReportDocument {
  const { expected, counted, difference } = report;
  return {
    expected: mapMethods(expected, minorToWire),
    counted: counted && mapMethods(counted, minorToWire),
    difference: difference && mapMethods(difference, minorToWire),
    sales: sumDocument(report.sales),
    refunds: sumDocument(report.refunds),
    discounts: sumDocument(report.discounts),
    movements: report.movements.map((movement) => ({ ...movementDocument(movement), is_late: movement.isLate })),
    invoices: report.invoices,
    is_final: report.isFinal,
    awaits: report.awaits.map(({ deviceId, code, name, sinceMs, waiting }) => ({
      device_id: deviceId,
      code,
      name,
      since: isoOrNull(sinceMs),
      waiting,
    })),
  };
}

export function reportFromDocument(document: DrawerReportDocument): DrawerReport {
  const { expected, counted, difference } = document;
  return {
    expected: mapMethods(expected, minorFromWire),
    counted: counted && mapMethods(counted, minorFromWire),
    difference: difference && mapMethods(difference, minorFromWire),
    sales: sumFromDocument(document.sales),
    refunds: sumFromDocument(document.refunds),
    discounts: sumFromDocument(document.discounts),
    movements: document.movements.map((movement) => ({ ...movementFromDocument(movement), isLate: movement.is_late })),
    invoices: document.invoices,
    isFinal: document.is_final,
    awaits: document.awaits.map(({ device_id, code, name, since, waiting }) => ({
      deviceId: device_id,
      code,
      name,
      sinceMs: msOrNull(since),
      waiting,
    })),
  };
}
