/** Checks that a screen shows every operation of its tablet once, unless it is in the tray. This holds at any moment, with or without a network. */
import type { AnyOperation } from '#domain/protocol/operations.ts';
import type { OperationState, OrderRow } from '#src/db/database.ts';
import type { Drawer } from '#domain/drawer/drawer.ts';
import { localDrawers } from '#src/db/queries/drawers.ts';
import { thousandths } from './final-state.ts';
import type { SimulatedTablet } from '../clients/tablet.ts';

export async function checkScreen(tablet: SimulatedTablet): Promise<string[]> {
  const db = tablet.faultFreeDb();
  const [states, orders, items] = await Promise.all([
    db.operation_states.toArray(),
    db.orders.toArray(),
    db.catalogue.where('key').startsWith('s').toArray(),
  ]);
  const drawers = await localDrawers(db);
  const stateOf = new Map(states.map((state) => [state.op_id, state]));
  const orderOf = new Map(orders.map((order) => [order.id, order]));
  const shown = (operation: AnyOperation): boolean => {
    const state = stateOf.get(operation.op_id);
    return state !== undefined && state.status !== 'attention' && state.superseded_by === null;
  };
  const missing = tablet.durable.filter(shown).flatMap((operation) => {
    if ('drawer_id' in operation.payload) return checkDrawer(operation, drawers, tablet);
    if (!('order_id' in operation.payload)) return [];
    const order = orderOf.get(operation.payload.order_id);
    const times = order ? timesShown(order, operation) : 0;
    return times === 1 ? [] : `${tablet.name} shows ${operation.kind} ${operation.op_id} ${times} times`;
  });
  return [...missing, ...items.flatMap((item) => checkItem(item, tablet, states))];
}

const allLines = ({ lines, removedLines }: OrderRow) => [...lines, ...removedLines];

function timesShown(order: OrderRow, { op_id, kind, payload }: AnyOperation): number {
  const count = (facts: readonly { opId: string }[]) => facts.filter(({ opId }) => opId === op_id).length;
  switch (kind) {
    case 'order.create':
      return count(allLines(order)) / ('items' in payload ? payload.items.length : 1);
    case 'order.add_services':
      // An operation written as poison adds nothing.
      return 'items' in payload && payload.items.length > 0 ? count(allLines(order)) / payload.items.length : 1;
    case 'order.change':
      return count(order.changes);
    case 'order.invoice':
      return order.invoices.filter((invoice) => invoice.op_id === op_id).length;
    case 'order.cancel':
      return count(order.cancels);
    default:
      return count(order.payments);
  }
}

function checkDrawer(
  { op_id, kind, payload }: AnyOperation,
  drawers: readonly Drawer[],
  { name, durable }: SimulatedTablet,
): string[] {
  const drawerId = (payload as { drawer_id: string }).drawer_id;
  const drawer = drawers.find(({ id }) => id === drawerId);
  // After a restore, a drawer returns only with the operations of the tablet that opened it.
  const isOwn = durable.some(
    (operation) => operation.kind === 'drawer.open' && operation.payload.drawer_id === drawerId,
  );
  if (!drawer && !isOwn) return [];
  const times = drawer ? timesShownInDrawer(drawer, op_id, kind) : 0;
  return times === 1 ? [] : [`${name} shows ${kind} ${op_id} ${times} times`];
}

function timesShownInDrawer({ movements, close }: Drawer, opId: string, kind: AnyOperation['kind']): number {
  if (kind === 'drawer.move') return movements.filter((movement) => movement.opId === opId).length;
  return kind === 'drawer.close' && !close ? 0 : 1;
}

/** The quantity on the screen equals the server's quantity, changed by the outstanding operations of this tablet. */
function checkItem(
  {
    id,
    base_quantity_milli,
    quantity_milli,
  }: { id: number; base_quantity_milli: number | null; quantity_milli: number | null },
  { name, durable, inherited }: SimulatedTablet,
  states: readonly OperationState[],
): string[] {
  const waiting = states
    .filter(({ aggregate, status }) => aggregate === `stock:${id}` && status !== 'settled' && status !== 'attention')
    .sort((a, b) => a.position - b.position);
  const expected = waiting.reduce((quantity, { op_id }) => {
    const operation =
      durable.find((known) => known.op_id === op_id) ?? inherited.find((known) => known.op_id === op_id);
    if (operation?.kind !== 'stock.adjust') return quantity;
    const { action, amount } = operation.payload;
    if (action === 'set') return thousandths(amount);
    return quantity + (action === 'add' ? thousandths(amount) : -thousandths(amount));
  }, base_quantity_milli ?? 0);
  return quantity_milli === expected
    ? []
    : [`${name} shows ${quantity_milli} of item ${id} over ${base_quantity_milli}, expected ${expected}`];
}
