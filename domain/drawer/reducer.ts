/**
 * What an operation does to a drawer. The server runs it over its rows when the operation arrives, and the tablet over its
 * own while the operation waits. It is total and records facts; applying an operation twice changes nothing.
 */
import { minorFromWire } from '../money.ts';
import type { AnyOperation, Operation } from '../protocol/operations.ts';
import type { Drawer } from './drawer.ts';

export type DrawerOperation = Extract<AnyOperation, { kind: `drawer.${string}` }>;

export const isDrawerOperation = (operation: AnyOperation): operation is DrawerOperation =>
  operation.kind.startsWith('drawer.');

/**
 * @param drawer the drawer so far, or null before it was opened
 * @param atMs when the operation took effect (milliseconds, see `effectiveAt`)
 * @returns null when there is nothing to apply it to
 */
export function reduceDrawer(drawer: Drawer | null, operation: DrawerOperation, atMs: number): Drawer | null {
  if (operation.kind === 'drawer.open') return drawer ?? opened(operation, atMs);
  if (!drawer) return null;
  return operation.kind === 'drawer.move' ? moved(drawer, operation, atMs) : closed(drawer, operation, atMs);
}

function opened({ payload, actor_id, device_id }: Operation<'drawer.open'>, atMs: number): Drawer {
  return {
    id: payload.drawer_id,
    deviceId: device_id,
    floatMinor: minorFromWire(payload.float),
    openedAtMs: atMs,
    openedBy: actor_id,
    movements: [],
    close: null,
  };
}

function moved(drawer: Drawer, { op_id, payload, actor_id }: Operation<'drawer.move'>, atMs: number): Drawer {
  if (drawer.movements.some(({ opId }) => opId === op_id)) return drawer;
  const amountMinor = minorFromWire(payload.direction === 'in' ? payload.amount : -payload.amount);
  return {
    ...drawer,
    movements: [...drawer.movements, { opId: op_id, amountMinor, reason: payload.reason, actorId: actor_id, atMs }],
  };
}

function closed(drawer: Drawer, { payload, actor_id }: Operation<'drawer.close'>, atMs: number): Drawer {
  if (drawer.close) return drawer;
  const { cash, card, insurance, others } = payload.counted;
  const counted = {
    cash: minorFromWire(cash),
    card: minorFromWire(card),
    insurance: minorFromWire(insurance),
    others: minorFromWire(others),
  };
  return { ...drawer, close: { atMs, actorId: actor_id, counted, notes: payload.notes ?? '' } };
}
