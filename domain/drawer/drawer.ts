/**
 * The cash drawer as a value: opened with a float, moved by hand, closed with a count. No payment names its drawer: time
 * decides, as with the business day, so a payment that arrives late still finds the drawer that stood open when it was taken.
 * Money is minor units, instants are milliseconds since 1970.
 */
import type { PaymentMethod } from '../order/vocabulary.ts';

export type ByMethod = Record<PaymentMethod, number>;

/** Money put in by hand, or with a negative amount taken out. */
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
  /** The device that opened it. */
  deviceId: number;
  floatMinor: number;
  openedAtMs: number;
  openedBy: number;
  movements: DrawerMovement[];
  close: DrawerClose | null;
}

/** What decides to which drawer a payment belongs. */
export interface PaymentOrigin {
  atMs: number;
  deviceId: number;
}

const stoodOpen = ({ openedAtMs, close }: Drawer, atMs: number): boolean =>
  openedAtMs <= atMs && (close === null || atMs < close.atMs);

/** The one opened first; by id where two were opened in the same millisecond. */
const byOpening = (a: Drawer, b: Drawer): number => a.openedAtMs - b.openedAtMs || (a.id < b.id ? -1 : 1);

/**
 * The drawer that a payment went into: the one that stood open when it took effect. Of several, the one that the payment's
 * own device had opened, else the one opened first. Null: it was taken outside of any drawer.
 */
export function drawerForPayment<D extends Drawer>({ atMs, deviceId }: PaymentOrigin, drawers: readonly D[]): D | null {
  return chosen(
    drawers.filter((drawer) => stoodOpen(drawer, atMs)),
    deviceId,
  );
}

/** The drawer that a device works with now, by the same choice; null when none stands open. */
export function currentDrawer<D extends Drawer>(drawers: readonly D[], deviceId: number): D | null {
  return chosen(
    drawers.filter(({ close }) => close === null),
    deviceId,
  );
}

function chosen<D extends Drawer>(open: readonly D[], deviceId: number): D | null {
  const sorted = [...open].sort(byOpening);
  return sorted.find((drawer) => drawer.deviceId === deviceId) ?? sorted[0] ?? null;
}

/** A movement that took effect after the drawer was counted. It is on record, and the count knows nothing of it. */
export const isLate = ({ close }: Drawer, { atMs }: Pick<DrawerMovement, 'atMs'>): boolean =>
  close !== null && atMs > close.atMs;
