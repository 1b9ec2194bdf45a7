/** Opens a cash drawer, moves money by hand, and closes the drawer with a count. */
import { dayMs } from '#domain/durations.ts';
import { decideClose, decideMove, decideOpen } from '#domain/drawer/decisions.ts';
import { closedDrawerDays } from '#domain/drawer/drawer.ts';
import type { ByMethod } from '#domain/drawer/drawer.ts';
import type { DrawerOperation } from '#domain/drawer/operations.ts';
import { drawerAggregate } from '#domain/drawer/operations.ts';
import { minorToWire } from '#domain/money.ts';
import type { PayloadOf } from '#domain/protocol/operations.ts';
import { accept, refuse } from '#domain/result.ts';
import type { Result } from '#domain/result.ts';
import { isSettled, statesOf } from '../operation-state.ts';
import { localDrawers } from '../queries/drawers.ts';
import type { LocalDrawer } from '../queries/drawers.ts';
import { clinicSettings } from '../singletons.ts';
import { commit } from '../write.ts';
import type { Write, WriteContext } from '../write.ts';
import { textLimits } from '#domain/limits.ts';
import { storableText } from './storable-text.ts';

const drawerTables = ({ db }: WriteContext) => [db.drawers, db.verifiers, db.settings];

export function openDrawer(
  context: WriteContext,
  { floatMinor }: { floatMinor: number },
): Promise<Result<{ drawerId: string }>> {
  return commit(context, drawerTables(context), async (write) => {
    const [drawers, device, { currency }] = await Promise.all([
      localDrawers(write.db),
      write.db.device.get('this'),
      clinicSettings(write.db),
    ]);
    const hasOpen = drawers.some(({ close, deviceId }) => close === null && deviceId === (device?.device_id ?? 0));
    const decision = decideOpen({ hasOpen, floatMinor });
    if (!decision.ok) return decision;
    await deleteOld(write);
    const drawerId = write.newId();
    await record(write, 'drawer.open', { drawer_id: drawerId, currency, float: minorToWire(floatMinor) });
    return accept({ drawerId });
  });
}

async function deleteOld({ db, nowMs }: Write): Promise<void> {
  const oldestMs = nowMs - closedDrawerDays * dayMs;
  await db.drawers.filter(({ closed_at }) => closed_at !== null && Date.parse(closed_at) < oldestMs).delete();
}

export interface MoneyMove {
  drawerId: string;
  direction: PayloadOf['drawer.move']['direction'];
  amountMinor: number;
  reason: string;
}

export function moveMoney(
  context: WriteContext,
  { drawerId, direction, amountMinor, reason }: MoneyMove,
): Promise<Result<{ drawerId: string }>> {
  return onDrawer(context, drawerId, async (write, drawer) => {
    const stored = storableText(reason, textLimits.reason) ?? '';
    const decision = decideMove(drawer, { amountMinor, reason: stored });
    if (!decision.ok) return decision;
    await record(write, 'drawer.move', {
      drawer_id: drawerId,
      direction,
      amount: minorToWire(amountMinor),
      reason: stored,
    });
    return accept({ drawerId });
  });
}

export interface DrawerCount {
  drawerId: string;
  countedMinor: ByMethod;
  notes?: string;
}

export function closeDrawer(
  context: WriteContext,
  { drawerId, countedMinor, notes }: DrawerCount,
): Promise<Result<{ drawerId: string }>> {
  return onDrawer(context, drawerId, async (write, drawer) => {
    const decision = decideClose(drawer, { counted: countedMinor });
    if (!decision.ok) return decision;
    const { cash, card, insurance, others } = countedMinor;
    const stored = storableText(notes, textLimits.notes);
    await record(write, 'drawer.close', {
      drawer_id: drawerId,
      counted: {
        cash: minorToWire(cash),
        card: minorToWire(card),
        insurance: minorToWire(insurance),
        others: minorToWire(others),
      },
      ...(stored !== undefined && { notes: stored }),
    });
    return accept({ drawerId });
  });
}

function onDrawer<T>(
  context: WriteContext,
  drawerId: string,
  work: (write: Write, drawer: LocalDrawer) => Promise<Result<T>>,
): Promise<Result<T>> {
  return commit(context, drawerTables(context), async (write) => {
    const drawer = (await localDrawers(write.db)).find(({ id }) => id === drawerId);
    return drawer ? work(write, drawer) : refuse('DRAWER_NOT_FOUND');
  });
}

/** Appends an operation that depends on the drawer's last one. */
async function record<K extends DrawerOperation['kind']>(write: Write, kind: K, payload: PayloadOf[K]): Promise<void> {
  const aggregate = drawerAggregate(payload.drawer_id);
  const before = (await statesOf(write.db, aggregate)).findLast((state) => !isSettled(state));
  write.append({ kind, aggregate, payload, dependsOn: before ? [before.op_id] : [] });
}
