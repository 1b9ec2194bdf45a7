/** The operations of a cash drawer: opened with a float, moved by hand, closed with a count. Each builds on the one before. */
import { minorFromWire } from '../money.ts';
import { reducerOf } from '../wire/envelope.ts';
import type { Envelope, KindDefinitions, OperationsOf } from '../wire/envelope.ts';
import type { PayloadsOf } from '../wire/schemas.ts';
import type { Drawer } from './drawer.ts';
import type { drawerPayloadSchemas } from './schemas.ts';

export type DrawerPayloads = PayloadsOf<typeof drawerPayloadSchemas>;

export type DrawerOperation = OperationsOf<DrawerPayloads>;

export const isDrawerOperation = (operation: Envelope<string, unknown>): operation is DrawerOperation =>
  operation.kind.startsWith('drawer.');

export const drawerAggregate = (drawerId: string): string => `drawer:${drawerId}`;

export const drawerOperations: KindDefinitions<DrawerPayloads, Drawer> = {
  'drawer.open': {
    apply: (drawer, operation, atMs) => drawer ?? opened(operation, atMs),
    summarize: ({ float }) => ({ amountMinor: minorFromWire(float) }),
  },
  'drawer.move': {
    apply: (drawer, operation, atMs) => drawer && moved(drawer, operation, atMs),
    summarize: ({ reason, ...payload }) => ({ amountMinor: movedMinor(payload), reason }),
  },
  'drawer.close': {
    apply: (drawer, operation, atMs) => drawer && closed(drawer, operation, atMs),
    summarize: () => ({ amountMinor: null }),
  },
};

export const reduceDrawer = reducerOf(drawerOperations);

type OperationOf<Kind extends keyof DrawerPayloads> = Envelope<Kind, DrawerPayloads[Kind]>;

function opened({ payload, actor_id, device_id }: OperationOf<'drawer.open'>, atMs: number): Drawer {
  return {
    id: payload.drawer_id,
    deviceId: device_id,
    currency: payload.currency,
    floatMinor: minorFromWire(payload.float),
    openedAtMs: atMs,
    openedBy: actor_id,
    movements: [],
    close: null,
  };
}

function moved(drawer: Drawer, { op_id, payload, actor_id }: OperationOf<'drawer.move'>, atMs: number): Drawer {
  if (drawer.movements.some(({ opId }) => opId === op_id)) return drawer;
  const movement = { opId: op_id, amountMinor: movedMinor(payload), reason: payload.reason, actorId: actor_id, atMs };
  return { ...drawer, movements: [...drawer.movements, movement] };
}

const movedMinor = ({ direction, amount }: Pick<DrawerPayloads['drawer.move'], 'direction' | 'amount'>): number =>
  minorFromWire(direction === 'in' ? amount : -amount);

function closed(drawer: Drawer, { payload, actor_id }: OperationOf<'drawer.close'>, atMs: number): Drawer {
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
