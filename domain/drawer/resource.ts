/** Drawers and their reports on the wire, and the conversions. Money on the wire is a decimal. */
import type { NamedHead } from '../fiscal/verify.ts';
import { isoOf, isoOrNull, msOrNull } from '../instant.ts';
import { minorFromWire, minorToWire } from '../money.ts';
import { taxTotalFromWire, taxTotalToWire } from '../tax/wire.ts';
import type { TaxTotalPayload } from '../tax/wire.ts';
import type { ByMethod, Drawer, DrawerMovement } from './drawer.ts';
import type { DrawerDevice, DrawerReport, Sum } from './report.ts';

export interface MovementResource {
  op_id: string;
  /** Negative for money taken out. */
  amount: number;
  reason: string;
  actor_id: number;
  created_at: string;
}

export interface DrawerResource {
  id: string;
  device_id: number;
  currency: string;
  float: number;
  opened_at: string;
  opened_by: number;
  closed_at: string | null;
  closed_by: number | null;
  counted: ByMethod | null;
  notes: string;
  movements: MovementResource[];
}

export interface DrawerDeviceResource {
  id: number | null;
  code: string;
  name: string;
  last_seen_at: string | null;
  cleared_at: string | null;
  waiting: number;
  head?: NamedHead | undefined;
}

/** A drawer with its people and devices, as the feed and the lists carry it. */
export interface DrawerRowResource extends DrawerResource {
  /** The code of the device that opened it. */
  device_code: string;
  /** The names, by id, of the users who worked with the drawer. */
  people: Record<string, string>;
  /** The devices that may have taken payments into the drawer. */
  devices: DrawerDeviceResource[];
}

export interface DrawerRow extends Drawer {
  deviceCode: string;
  people: Record<string, string>;
  devices: DrawerDevice[];
}

const mapMethods = (amounts: ByMethod, change: (amount: number) => number): ByMethod => ({
  cash: change(amounts.cash),
  card: change(amounts.card),
  insurance: change(amounts.insurance),
  others: change(amounts.others),
});

const movementResource = ({ opId, amountMinor, reason, actorId, atMs }: DrawerMovement): MovementResource => ({
  op_id: opId,
  amount: minorToWire(amountMinor),
  reason,
  actor_id: actorId,
  created_at: isoOf(atMs),
});

const movementFromResource = ({ op_id, amount, reason, actor_id, created_at }: MovementResource): DrawerMovement => ({
  opId: op_id,
  amountMinor: minorFromWire(amount),
  reason,
  actorId: actor_id,
  atMs: Date.parse(created_at),
});

export function drawerResource({
  id,
  deviceId,
  currency,
  floatMinor,
  openedAtMs,
  openedBy,
  movements,
  close,
}: Drawer): DrawerResource {
  return {
    id,
    device_id: deviceId,
    currency,
    float: minorToWire(floatMinor),
    opened_at: isoOf(openedAtMs),
    opened_by: openedBy,
    closed_at: isoOrNull(close?.atMs ?? null),
    closed_by: close?.actorId ?? null,
    counted: close && mapMethods(close.counted, minorToWire),
    notes: close?.notes ?? '',
    movements: movements.map(movementResource),
  };
}

export function drawerRowResource(row: DrawerRow): DrawerRowResource {
  return {
    ...drawerResource(row),
    device_code: row.deviceCode,
    people: row.people,
    devices: row.devices.map(({ id, code, name, lastSeenAtMs, clearedAtMs, waiting, head }) => ({
      id,
      code,
      name,
      last_seen_at: isoOrNull(lastSeenAtMs),
      cleared_at: isoOrNull(clearedAtMs),
      waiting,
      ...(head && { head }),
    })),
  };
}

export function drawerRowFromResource(resource: DrawerRowResource): DrawerRow {
  const { closed_at, closed_by, counted } = resource;
  return {
    id: resource.id,
    deviceId: resource.device_id,
    currency: resource.currency,
    floatMinor: minorFromWire(resource.float),
    openedAtMs: Date.parse(resource.opened_at),
    openedBy: resource.opened_by,
    movements: resource.movements.map(movementFromResource),
    close:
      closed_at !== null && closed_by !== null && counted !== null
        ? {
            atMs: Date.parse(closed_at),
            actorId: closed_by,
            counted: mapMethods(counted, minorFromWire),
            notes: resource.notes,
          }
        : null,
    deviceCode: resource.device_code,
    people: resource.people,
    devices: resource.devices.map(({ id, code, name, last_seen_at, cleared_at, waiting, head }) => ({
      id,
      code,
      name,
      lastSeenAtMs: msOrNull(last_seen_at),
      clearedAtMs: msOrNull(cleared_at),
      waiting,
      ...(head && { head }),
    })),
  };
}

interface SumResource {
  count: number;
  amount: number;
}

/** `GET /drawers/{id}/report`: the Z report. */
export interface DrawerReportResource {
  expected: ByMethod;
  counted: ByMethod | null;
  difference: ByMethod | null;
  sales: SumResource;
  refunds: SumResource;
  discounts: SumResource;
  movements: (MovementResource & { is_late: boolean })[];
  invoices: { first: string; last: string; count: number }[];
  /** By tax; absent without a tax profile. */
  taxes?: TaxTotalPayload[];
  /** In other currencies than the drawer's; absent when nothing was taken in one. */
  others?: { currency: string; sales: SumResource; refunds: SumResource; taken: ByMethod }[];
  is_final: boolean;
  awaits: { device_id: number | null; code: string; name: string; since: string | null; waiting: number }[];
}

const sumResource = ({ count, amountMinor }: Sum): SumResource => ({ count, amount: minorToWire(amountMinor) });
const sumFromResource = ({ count, amount }: SumResource): Sum => ({ count, amountMinor: minorFromWire(amount) });

export function reportResource(report: DrawerReport): DrawerReportResource {
  const { expected, counted, difference } = report;
  return {
    expected: mapMethods(expected, minorToWire),
    counted: counted && mapMethods(counted, minorToWire),
    difference: difference && mapMethods(difference, minorToWire),
    sales: sumResource(report.sales),
    refunds: sumResource(report.refunds),
    discounts: sumResource(report.discounts),
    movements: report.movements.map((movement) => ({ ...movementResource(movement), is_late: movement.isLate })),
    invoices: report.invoices,
    ...(report.taxes && { taxes: report.taxes.map(taxTotalToWire) }),
    ...(report.others && {
      others: report.others.map(({ currency, sales, refunds, taken }) => ({
        currency,
        sales: sumResource(sales),
        refunds: sumResource(refunds),
        taken: mapMethods(taken, minorToWire),
      })),
    }),
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

export function reportFromResource(resource: DrawerReportResource): DrawerReport {
  const { expected, counted, difference } = resource;
  return {
    expected: mapMethods(expected, minorFromWire),
    counted: counted && mapMethods(counted, minorFromWire),
    difference: difference && mapMethods(difference, minorFromWire),
    sales: sumFromResource(resource.sales),
    refunds: sumFromResource(resource.refunds),
    discounts: sumFromResource(resource.discounts),
    movements: resource.movements.map((movement) => ({ ...movementFromResource(movement), isLate: movement.is_late })),
    invoices: resource.invoices,
    ...(resource.taxes && { taxes: resource.taxes.map(taxTotalFromWire) }),
    ...(resource.others && {
      others: resource.others.map(({ currency, sales, refunds, taken }) => ({
        currency,
        sales: sumFromResource(sales),
        refunds: sumFromResource(refunds),
        taken: mapMethods(taken, minorFromWire),
      })),
    }),
    isFinal: resource.is_final,
    awaits: resource.awaits.map(({ device_id, code, name, since, waiting }) => ({
      deviceId: device_id,
      code,
      name,
      sinceMs: msOrNull(since),
      waiting,
    })),
  };
}
