/**
 * The cash drawer. A payment does not name its drawer: it belongs to the drawer that was open when the payment took effect. So
 * a payment that arrives late still finds its drawer. Money is minor units, instants are milliseconds since 1970.
 */
import { groupBy } from '../group-by.ts';
import type { PaymentMethod } from '../order/vocabulary.ts';

/** Tablets keep closed drawers for this many days, and the feed sends them for as long. */
export const closedDrawerDays = 30;

export type ByMethod = Record<PaymentMethod, number>;

/** Money put in by hand; taken out when the amount is negative. */
export interface DrawerMovement {
  opId: string;
  amountMinor: number;
  reason: string;
  actorId: number;
  atMs: number;
}

export interface DrawerClose {
  atMs: number;
  actorId: number;
  counted: ByMethod;
  notes: string;
}

export interface Drawer {
  id: string;
  /** The device that opened the drawer. */
  deviceId: number;
  /** The currency of its float and counts: the clinic's when it was opened. */
  currency: string;
  floatMinor: number;
  openedAtMs: number;
  openedBy: number;
  movements: DrawerMovement[];
  close: DrawerClose | null;
}

/** The properties of a payment that decide its drawer. */
export interface PaymentOrigin {
  atMs: number;
  deviceId: number;
}

/** The properties of a drawer that decide its payments. */
export interface DrawerTime extends Pick<Drawer, 'id' | 'deviceId' | 'openedAtMs'> {
  close: Pick<DrawerClose, 'atMs'> | null;
}

const wasOpen = ({ openedAtMs, close }: DrawerTime, atMs: number): boolean =>
  openedAtMs <= atMs && (close === null || atMs < close.atMs);

/** Sorts by opening time; the device breaks ties. One device opens no two drawers at one instant. */
const byOpening = (a: DrawerTime, b: DrawerTime): number => a.openedAtMs - b.openedAtMs || a.deviceId - b.deviceId;

/**
 * Returns a function that finds the drawer that was open when a payment took effect. Of several, the drawer of the
 * payment's device takes precedence, then the drawer opened first. It returns null when no drawer was open.
 *
 * The drawers are sorted once: a report asks for thousands of payments.
 */
export function drawerFinder<D extends DrawerTime>(drawers: readonly D[]): (payment: PaymentOrigin) => D | null {
  const sorted = [...drawers].sort(byOpening);
  const ofDevice = groupBy(sorted, ({ deviceId }) => deviceId);
  return ({ atMs, deviceId }) => {
    const openAt = (drawer: D) => wasOpen(drawer, atMs);
    return ofDevice.get(deviceId)?.find(openAt) ?? sorted.find(openAt) ?? null;
  };
}

/** Returns the open drawer that a device uses: its own, otherwise the one opened first; null when none is open. */
export function currentDrawer<D extends Drawer>(drawers: readonly D[], deviceId: number): D | null {
  return preferred(
    drawers.filter(({ close }) => close === null),
    deviceId,
  );
}

function preferred<D extends Drawer>(open: readonly D[], deviceId: number): D | null {
  const sorted = [...open].sort(byOpening);
  return sorted.find((drawer) => drawer.deviceId === deviceId) ?? sorted[0] ?? null;
}

/** True when a movement took effect after the drawer was counted. Such a movement is recorded but not part of the count. */
export const isLate = ({ close }: Drawer, { atMs }: Pick<DrawerMovement, 'atMs'>): boolean =>
  close !== null && atMs > close.atMs;
