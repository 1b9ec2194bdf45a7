/**
 * Cash drawers as this tablet knows them: the server's rows with the waiting operations replayed over them, by the reducer
 * that the server runs. They are few, so they are folded when they are read and stand nowhere else.
 */
import { Dexie } from 'dexie';
import { currentDrawer } from '../../../domain/drawer/drawer.ts';
import { drawerRowFromResource } from '../../../domain/drawer/resource.ts';
import type { DrawerRow } from '../../../domain/drawer/resource.ts';
import { isDrawerOperation, reduceDrawer } from '../../../domain/drawer/operations.ts';
import { occurredAtMs } from '../../../domain/protocol/operations.ts';
import { drawerPayments, drawerReport, paymentsInto } from '../../../domain/drawer/report.ts';
import type { DrawerDevice, DrawerReport } from '../../../domain/drawer/report.ts';
import type { AnyOperation } from '../../../domain/protocol/operations.ts';
import type { ClinicDatabase } from '../database.ts';
import { isReplayed } from '../operation-state.ts';
import { syncRow } from '../singletons.ts';
import { userNames } from './tray.ts';

export interface LocalDrawer extends DrawerRow {
  /** The server's word on some of it has not come home. */
  unsent: boolean;
  /** The server knows that it is closed, and so has said who may have worked into it. */
  toldClosed: boolean;
}

/** How far back this tablet has all that went into a drawer: it forgets closed treatments after a week. */
const wholeForMs = 7 * 86_400_000;
/** How long a closed drawer stays at hand. */
const recentMs = 2 * 86_400_000;

/** What a drawer is folded from. */
const sources = (db: ClinicDatabase) => [db.drawers, db.operations, db.operation_states, db.device, db.verifiers];

/**
 * All of them, the last opened first. Read as of one moment: between two, a pull may turn what waits into a row, and the
 * drawer would be in neither.
 */
export function localDrawers(db: ClinicDatabase): Promise<LocalDrawer[]> {
  return db.transaction('r', sources(db), async () => {
    const [documents, operations, device, people] = await Promise.all([
      db.drawers.toArray(),
      replayed(db),
      db.device.get('this'),
      userNames(db),
    ]);
    const names = Object.fromEntries(people);
    const drawers = new Map<string, LocalDrawer>();
    for (const document of documents) {
      const row = drawerRowFromResource(document);
      drawers.set(row.id, {
        ...row,
        people: { ...names, ...row.people },
        unsent: false,
        toldClosed: row.close !== null,
      });
    }
    for (const operation of operations.filter(isDrawerOperation)) {
      const known = drawers.get(operation.payload.drawer_id);
      const drawer = reduceDrawer(known ?? null, operation, occurredAtMs(operation));
      if (!drawer) continue;
      const around = known ?? { deviceCode: device?.code ?? '', people: names, devices: [], toldClosed: false };
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

/** Those that stand open, the one that this device works with first: what a form lets somebody choose from. */
export async function openLocalDrawers(db: ClinicDatabase): Promise<LocalDrawer[]> {
  const [drawers, device] = await Promise.all([localDrawers(db), db.device.get('this')]);
  const current = currentDrawer(drawers, device?.device_id ?? 0);
  return drawers.filter(({ close }) => close === null).sort((a, b) => Number(b === current) - Number(a === current));
}

export interface DrawerOverview {
  /** The one that this device works with: its own, else the one opened first. */
  current: LocalDrawer | null;
  /** Whether this device has opened it. */
  isOwn: boolean;
  /** Those closed lately, the last first. */
  closed: LocalDrawer[];
}

export async function drawerOverview(db: ClinicDatabase, nowMs: number): Promise<DrawerOverview> {
  const [drawers, device] = await Promise.all([localDrawers(db), db.device.get('this')]);
  const deviceId = device?.device_id ?? 0;
  const current = currentDrawer(drawers, deviceId);
  const closed = drawers.filter(({ close }) => close !== null && close.atMs > nowMs - recentMs);
  return { current, isOwn: current?.deviceId === deviceId, closed };
}

export interface LocalDrawerReport {
  drawer: LocalDrawer;
  report: DrawerReport;
  /** False for a drawer that was opened so long ago that this tablet has forgotten some of what went into it. */
  isWhole: boolean;
}

/** The report by what this tablet has: its own unsent work included, that of others as far as it has come home. As of one moment, too. */
export function localDrawerReport(
  db: ClinicDatabase,
  drawerId: string,
  nowMs: number,
): Promise<LocalDrawerReport | null> {
  return db.transaction('r', [...sources(db), db.orders, db.sync], async () => {
    const drawers = await localDrawers(db);
    const drawer = drawers.find(({ id }) => id === drawerId);
    if (!drawer) return null;
    const orders = await db.orders.where('updatedAtMs').aboveOrEqual(drawer.openedAtMs).toArray();
    const payments = paymentsInto(drawer, drawers, orders.flatMap(drawerPayments));
    return {
      drawer,
      report: drawerReport(drawer, payments, await awaitable(db, drawer)),
      isWhole: drawer.openedAtMs > nowMs - wholeForMs,
    };
  });
}

/** Whose word it takes: the others' as the server tells it, or the server's where this tablet has not heard it since. */
async function awaitable(db: ClinicDatabase, { toldClosed, devices }: LocalDrawer): Promise<DrawerDevice[]> {
  const [device, { last_contact_at, clock_offset_ms }] = await Promise.all([db.device.get('this'), syncRow(db)]);
  if (toldClosed) return devices.filter(({ id }) => id !== device?.device_id);
  const heardAtMs = last_contact_at === null ? null : last_contact_at + (clock_offset_ms ?? 0);
  return [{ id: null, code: '', name: '', lastSeenAtMs: heardAtMs, clearedAtMs: null, waiting: 0 }];
}
