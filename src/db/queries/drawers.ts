/**
 * Queries cash drawers: the server's rows with this device's waiting operations replayed over them. There are few drawers, so
 * the replay runs on every read instead of being stored.
 */
import { dayMs } from '#domain/durations.ts';
import { Dexie } from 'dexie';
import { currentDrawer } from '#domain/drawer/drawer.ts';
import { drawerRowFromResource } from '#domain/drawer/resource.ts';
import type { DrawerRow } from '#domain/drawer/resource.ts';
import { isDrawerOperation, reduceDrawer } from '#domain/drawer/operations.ts';
import { occurredAtMs } from '#domain/protocol/operations.ts';
import { drawerPayments } from '#domain/drawer/drawer-payments.ts';
import { drawerReport, paymentsInto } from '#domain/drawer/report.ts';
import type { DrawerDevice, DrawerReport } from '#domain/drawer/report.ts';
import type { AnyOperation } from '#domain/protocol/operations.ts';
import type { ClinicDatabase } from '../database.ts';
import { isReplayed } from '../operation-state.ts';
import { readTogether } from '../read-together.ts';
import { syncRow } from '../singletons.ts';
import { userNames } from './tray.ts';

export interface LocalDrawer extends DrawerRow {
  /** True while operations are replayed over the server's row. */
  unsent: boolean;
  /** True when the server's row is closed, and so names the devices that may have taken payments into the drawer. */
  closedOnServer: boolean;
}

/** The tablet deletes closed treatments after a week, so an older report is incomplete. */
const completeForMs = 7 * dayMs;
/** The overview lists a closed drawer for this long. */
const recentMs = 2 * dayMs;

/** The tables that a drawer is computed from. */
const sources = (db: ClinicDatabase) => [db.drawers, db.operations, db.operation_states, db.device, db.verifiers];

/**
 * Returns all drawers, the last opened first. One transaction reads all tables: a pull between two reads could move a drawer
 * from the outbox to the rows, and the result would miss it.
 */
export function localDrawers(db: ClinicDatabase): Promise<LocalDrawer[]> {
  return readTogether(db, sources(db), async () => {
    const [resources, operations, device, people] = await Promise.all([
      db.drawers.toArray(),
      replayed(db),
      db.device.get('this'),
      userNames(db),
    ]);
    const names = Object.fromEntries(people);
    const drawers = new Map<string, LocalDrawer>();
    for (const resource of resources) {
      const row = drawerRowFromResource(resource);
      drawers.set(row.id, {
        ...row,
        people: { ...names, ...row.people },
        unsent: false,
        closedOnServer: row.close !== null,
      });
    }
    for (const operation of operations.filter(isDrawerOperation)) {
      const known = drawers.get(operation.payload.drawer_id);
      const drawer = reduceDrawer(known ?? null, operation, occurredAtMs(operation));
      if (!drawer) continue;
      const around = known ?? { deviceCode: device?.code ?? '', people: names, devices: [], closedOnServer: false };
      drawers.set(drawer.id, { ...around, ...drawer, unsent: true });
    }
    return [...drawers.values()].sort((a, b) => b.openedAtMs - a.openedAtMs);
  });
}

async function replayed(db: ClinicDatabase): Promise<AnyOperation[]> {
  const states = await db.operation_states
    .where('[aggregate+position]')
    .between(['drawer:', Dexie.minKey], ['drawer;', Dexie.minKey])
    .filter(isReplayed)
    .toArray();
  const operations = await db.operations.bulkGet(states.map(({ op_id }) => op_id));
  return operations.flatMap((operation) => operation ?? []);
}

/** Returns the open drawers, this device's current drawer first. */
export async function openLocalDrawers(db: ClinicDatabase): Promise<LocalDrawer[]> {
  const [drawers, device] = await Promise.all([localDrawers(db), db.device.get('this')]);
  const current = currentDrawer(drawers, device?.device_id ?? 0);
  return drawers.filter(({ close }) => close === null).sort((a, b) => Number(b === current) - Number(a === current));
}

/** Returns the last float when no drawer is open that takes the cash of this device, otherwise null. */
export async function missingDrawer(db: ClinicDatabase): Promise<{ floatMinor: number } | null> {
  const [drawers, device] = await Promise.all([localDrawers(db), db.device.get('this')]);
  const isOpen = drawers.some(({ close }) => close === null);
  return isOpen ? null : { floatMinor: lastFloat(drawers, device?.device_id ?? 0) };
}

/** Returns the float of the drawer that this device opened last, otherwise of the last one; 0 when none is known. */
function lastFloat(drawers: readonly LocalDrawer[], ownId: number): number {
  return (drawers.find(({ deviceId }) => deviceId === ownId) ?? drawers[0])?.floatMinor ?? 0;
}

export interface DrawerOverview {
  /** This device's own drawer, otherwise the one opened first. */
  current: LocalDrawer | null;
  /** True when this device opened the current drawer. */
  isOwn: boolean;
  /** All that this device knows, also one that was closed while somebody worked on it. */
  drawers: LocalDrawer[];
  /** The recently closed drawers, newest first. */
  closed: LocalDrawer[];
  /** The float of the last drawer, for the next one. */
  lastFloatMinor: number;
}

export async function drawerOverview(db: ClinicDatabase, nowMs: number): Promise<DrawerOverview> {
  const [drawers, device] = await Promise.all([localDrawers(db), db.device.get('this')]);
  const deviceId = device?.device_id ?? 0;
  const current = currentDrawer(drawers, deviceId);
  const closed = drawers.filter(({ close }) => close !== null && close.atMs > nowMs - recentMs);
  return {
    current,
    isOwn: current?.deviceId === deviceId,
    drawers,
    closed,
    lastFloatMinor: lastFloat(drawers, deviceId),
  };
}

export interface LocalDrawerReport {
  drawer: LocalDrawer;
  report: DrawerReport;
  /** False when the drawer is so old that this tablet may have deleted some of its treatments. */
  isComplete: boolean;
}

/** Returns the drawer's report from this tablet's data: its own unsent work, and other devices' work as far as the feed has delivered it. */
export function localDrawerReport(
  db: ClinicDatabase,
  drawerId: string,
  nowMs: number,
): Promise<LocalDrawerReport | null> {
  return readTogether(db, [...sources(db), db.orders, db.sync], async () => {
    const drawers = await localDrawers(db);
    const drawer = drawers.find(({ id }) => id === drawerId);
    if (!drawer) return null;
    const orders = await db.orders.where('updatedAtMs').aboveOrEqual(drawer.openedAtMs).toArray();
    const payments = paymentsInto(drawer, drawers, orders.flatMap(drawerPayments));
    return {
      drawer,
      report: drawerReport(drawer, payments, await devicesToAwait(db, drawer)),
      isComplete: drawer.openedAtMs > nowMs - completeForMs,
    };
  });
}

/** Returns the devices whose report may be outstanding: the other devices that the server names, or the server itself. */
async function devicesToAwait(db: ClinicDatabase, { closedOnServer, devices }: LocalDrawer): Promise<DrawerDevice[]> {
  const [device, { last_contact_at, clock_offset_ms }] = await Promise.all([db.device.get('this'), syncRow(db)]);
  if (closedOnServer) return devices.filter(({ id }) => id !== device?.device_id);
  const heardAtMs = last_contact_at === null ? null : last_contact_at + (clock_offset_ms ?? 0);
  return [{ id: null, code: '', name: '', lastSeenAtMs: heardAtMs, clearedAtMs: null, waiting: 0 }];
}
