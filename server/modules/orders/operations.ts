/** The operations on a treatment. */
import { minorFromWire } from '../../../domain/money.ts';
import { decideCancel } from '../../../domain/order/decisions.ts';
import { freeDiscount } from '../../../domain/order/discount.ts';
import { statusOf } from '../../../domain/order/order.ts';
import type { Order } from '../../../domain/order/order.ts';
import { orderAggregate, orderOperations, reduceOrder, subtotalOf } from '../../../domain/order/operations.ts';
import type { OrderOperation } from '../../../domain/order/operations.ts';
import { orderResource } from '../../../domain/order/resource.ts';
import { beforeAnyUpdateMs } from '../../../domain/patient/patient.ts';
import { may } from '../../../domain/permissions.ts';
import type { Operation } from '../../../domain/protocol/operations.ts';
import type { Role } from '../../../domain/staff/roles.ts';
import type { Sql } from '../../db/sql.ts';
import { describedBy, refused, waiting } from '../../operations/operation-module.ts';
import type {
  BatchContext,
  BatchPart,
  DecideContext,
  DecidedBatch,
  Decision,
  OperationModule,
  RaisedConcern,
} from '../../operations/operation-module.ts';
import { ledgerEffects } from '../ledger/service.ts';
import { patientEffects } from '../patients/service.ts';
import { loadOrders, withOperation, writeOrders } from './service.ts';
import type { OrderChange } from './service.ts';

export const orderModule: OperationModule<OrderOperation> = {
  kinds: Object.keys(orderOperations) as OrderOperation['kind'][],
  aggregateOf: ({ payload }) => orderAggregate(payload.order_id),
  describe: ({ number, invoice, credit_note_number, amount, total }) =>
    describedBy(
      [number, (invoice as { invoice_number?: unknown } | null | undefined)?.invoice_number, credit_note_number],
      [amount, total],
    ),
  async load(sql, context, operations) {
    const ids = operations.map(({ payload }) => payload.order_id).filter(Boolean);
    return new OrderBatch(context, await loadOrders(sql, context.clinicId, [...new Set(ids)]));
  },
};

class OrderBatch implements BatchPart<OrderOperation> {
  private readonly changes = new Map<string, OrderChange>();

  /** @param orders as they are after the operations that were decided so far */
  constructor(
    private readonly context: BatchContext,
    private readonly orders: Map<string, Order>,
  ) {}

  decide(operation: OrderOperation, { source, atMs, actor, effects }: DecideContext): Decision {
    const { order_id: orderId } = operation.payload;
    const order = this.orders.get(orderId) ?? null;
    const creates = operation.kind === 'order.create';
    if (creates && order) return refused('ORDER_EXISTS');
    if (!creates && !order) {
      // A restored server may not have it yet, and another tablet will send it again. A person who asks gets the reply
      // now.
      return source === 'device' ? waiting('ORDER_NOT_FOUND') : refused('ORDER_NOT_FOUND');
    }
    if (operation.kind === 'order.cancel' && source === 'request') {
      const decision = decideCancel(order!);
      if (!decision.ok) return { status: 'refused', refusal: decision.refusal };
    }
    const after = reduceOrder(order, operation, atMs)!;
    this.change(after, operation, atMs);
    if (operation.kind === 'order.create') effects.add(patientEffects, ...patientUpdates(operation, atMs));
    return {
      status: 'applied',
      created: creates,
      // A device reads the treatment in the change feed. Its batch would carry the same treatment up to 200 times.
      data: () =>
        source === 'request' ? orderResource(after) : { id: after.id, number: after.number, status: statusOf(after) },
      concerns: operation.kind === 'order.create' ? this.excessDiscount(operation, actor?.role) : [],
    };
  }

  private change(after: Order, { op_id: opId, actor_id: actorId, device_id: deviceId }: OrderOperation, atMs: number) {
    const change = this.changes.get(after.id) ?? { before: this.orders.get(after.id) ?? null, completions: [] };
    this.changes.set(after.id, withOperation(change, { opId, actorId, deviceId, atMs }, after));
    this.orders.set(after.id, after);
  }

  /**
   * Raises a discount above the limit that its giver was not allowed to give. A fact is never refused for it (SYNC-2).
   */
  private excessDiscount({ payload }: Operation<'order.create'>, role: Role | undefined): RaisedConcern[] {
    const { discount, items, currency } = payload;
    if (discount === 0 || (role && may(role, 'order.discount_any'))) return [];
    const { discount_limit_percent: limit } = this.context.settings;
    if (minorFromWire(discount) <= freeDiscount(subtotalOf(items), limit)) return [];
    return [{ kind: 'discount_over_limit', details: { discount, limit, currency } }];
  }

  async write(sql: Sql, { effects }: DecidedBatch): Promise<void> {
    const { clinicId, receivedAtMs, settings } = this.context;
    const context = { clinicId, receivedAtMs, timeZone: settings.time_zone };
    effects.add(ledgerEffects, await writeOrders(sql, context, [...this.changes.values()]));
  }
}

/** Returns what a new treatment says of its patient, if it names one. */
function patientUpdates({ payload: { patient } }: Operation<'order.create'>, atMs: number) {
  if (!patient) return [];
  const { patient_id: id, name, phone, known } = patient;
  return [{ id, name, phone, atMs: known ? beforeAnyUpdateMs : atMs }];
}
