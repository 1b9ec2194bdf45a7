/** The operations on a cash drawer. */
import type { Drawer } from '#domain/drawer/drawer.ts';
import { maxOpenDrawers } from '#domain/limits.ts';
import { drawerAggregate, drawerOperations, reduceDrawer } from '#domain/drawer/operations.ts';
import type { DrawerOperation } from '#domain/drawer/operations.ts';
import { drawerResource } from '#domain/drawer/resource.ts';
import type { Sql } from '#server/db/sql.ts';
import { describedBy, refused, waiting } from '#server/operations/operation-module.ts';
import type {
  BatchContext,
  BatchPart,
  DecideContext,
  Decision,
  OperationModule,
} from '#server/operations/operation-module.ts';
import { writeDrawers } from './service.ts';
import type { DrawerStep } from './service.ts';
import { countOpenDrawers, loadDrawers } from './store.ts';

export const drawerModule: OperationModule<DrawerOperation> = {
  kinds: Object.keys(drawerOperations) as DrawerOperation['kind'][],
  aggregateOf: ({ payload }) => drawerAggregate(payload.drawer_id),
  describe: ({ amount }) => describedBy([], [amount]),
  async load(sql, context, operations) {
    const ids = operations.map(({ payload }) => payload.drawer_id).filter(Boolean);
    const opening = operations.filter(({ kind }) => kind === 'drawer.open').map(({ device_id }) => device_id);
    const [drawers, openOf] = await Promise.all([
      loadDrawers(sql, context.clinicId, [...new Set(ids)]),
      countOpenDrawers(sql, context.clinicId, [...new Set(opening)]),
    ]);
    return new DrawerBatch(context, drawers, openOf);
  },
};

class DrawerBatch implements BatchPart<DrawerOperation> {
  private readonly steps: DrawerStep[] = [];

  /**
   * @param drawers as they are after the operations that were decided so far
   * @param openOf the number of open drawers by device, likewise, of the devices that open one
   */
  constructor(
    private readonly context: BatchContext,
    private readonly drawers: Map<string, Drawer>,
    private readonly openOf: Map<number, number>,
  ) {}

  decide(operation: DrawerOperation, { source, atMs }: DecideContext): Decision {
    const { drawer_id: drawerId } = operation.payload;
    const before = this.drawers.get(drawerId) ?? null;
    const opens = operation.kind === 'drawer.open';
    if (opens && before) return refused('DRAWER_EXISTS');
    if (!opens && !before) return source === 'device' ? waiting('DRAWER_NOT_FOUND') : refused('DRAWER_NOT_FOUND');
    if (operation.kind === 'drawer.close' && before?.close) return refused('DRAWER_CLOSED');
    const after = reduceDrawer(before, operation, atMs)!;
    const open = this.openOf.get(after.deviceId) ?? 0;
    if (opens && open >= maxOpenDrawers) return refused('DRAWER_OPEN');
    if (opens) this.openOf.set(after.deviceId, open + 1);
    else if (operation.kind === 'drawer.close') this.openOf.set(after.deviceId, open - 1);
    this.steps.push({ before, after, operation, atMs });
    this.drawers.set(drawerId, after);
    const data = () => (source === 'request' ? drawerResource(after) : { id: drawerId });
    return { status: 'applied', created: opens, data };
  }

  write(sql: Sql): Promise<void> {
    return writeDrawers(sql, this.context, this.steps);
  }
}
