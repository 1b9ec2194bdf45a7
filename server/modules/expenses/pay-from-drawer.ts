import { decideMove } from '#domain/drawer/decisions.ts';
import { minorToWire } from '#domain/money.ts';
import { drawerAggregate } from '#domain/drawer/operations.ts';
import { accept, refuse } from '#domain/result.ts';
import type { Result } from '#domain/result.ts';
import type { WriteContext } from '#server/context.ts';
import { currentDrawer, loadDrawers } from '../drawers/service.ts';
import type { OperationRegistry } from '#server/operations/registry.ts';
import { applyTogether } from '#server/operations/rest-entry.ts';
import { deviceOf, lockAggregates } from '#server/operations/store.ts';

export interface DrawerPayment {
  /** Null selects the drawer of the session's device, or the drawer that was opened first. */
  drawerId: string | null;
  amountMinor: number;
  /** Shown in the drawer's report. */
  reason: string;
}

/**
 * Takes money out of an open drawer as a movement that tablets receive through the feed. Runs in the transaction of the
 * expense that it pays.
 *
 * @returns the drawer's id
 */
export async function payFromDrawer(
  registry: OperationRegistry,
  context: WriteContext,
  { drawerId, amountMinor, reason }: DrawerPayment,
): Promise<Result<string>> {
  const { sql, clinicId } = context;
  const id = drawerId ?? (await currentDrawer(sql, clinicId, await deviceOf(sql, context)))?.id;
  if (id === undefined) return refuse('DRAWER_NOT_OPEN');
  // Another request may have closed the drawer since it was read; from here on none can.
  await lockAggregates(sql, clinicId, [drawerAggregate(id)]);
  const drawer = (await loadDrawers(sql, clinicId, [id])).get(id);
  if (!drawer) return refuse('DRAWER_NOT_OPEN');
  const agreed = decideMove(drawer, { amountMinor, reason });
  if (!agreed.ok) return agreed.refusal.code === 'DRAWER_CLOSED' ? refuse('DRAWER_NOT_OPEN') : agreed;
  const payload = { drawer_id: id, direction: 'out' as const, amount: minorToWire(amountMinor), reason };
  await applyTogether(registry, context, [{ kind: 'drawer.move', aggregate: drawerAggregate(id), payload }]);
  return accept(id);
}
