/** Judges operations one by one, each in the light of those before it. It reads what is known and notes what is found; it writes nothing. */
import { effectiveAt } from '../../domain/business-day.ts';
import { drawerResource } from '../../domain/drawer/resource.ts';
import { isDrawerOperation, reduceDrawer } from '../../domain/drawer/operations.ts';
import type { DrawerOperation } from '../../domain/drawer/operations.ts';
import { isOrderOperation, reduceOrder } from '../../domain/order/operations.ts';
import type { OrderOperation } from '../../domain/order/operations.ts';
import { decideCancel } from '../../domain/order/decisions.ts';
import { orderResource } from '../../domain/order/resource.ts';
import { statusOf } from '../../domain/order/order.ts';
import { may } from '../../domain/permissions.ts';
import { operationVersion } from '../../domain/protocol/operations.ts';
import type { AnyOperation, Operation } from '../../domain/protocol/operations.ts';
import { milliFromWire } from '../../domain/quantity.ts';
import type { Sql } from '../db/sql.ts';
import type { ApplyContext, Incoming } from './apply.ts';
import { unreadable } from './describe.ts';
import type { Findings } from './write-set.ts';
import { closes } from './loaded.ts';
import type { Known } from './loaded.ts';
import { currentReceipt } from './receipts.ts';
import type { Receipt } from './receipts.ts';
import { patientUpdates } from '../modules/patients/service.ts';
import { codeOf, refused, replay, replyOf } from './outcome.ts';
import type { Outcome, Verdict } from './outcome.ts';
import { isVoid } from './voids.ts';
import type { VoidOperation } from './voids.ts';

const adjustmentTypes = { add: 'stock_in', subtract: 'stock_out', set: 'manual_adjustment' } as const;

export class Judge {
  constructor(
    private readonly context: ApplyContext,
    private readonly known: Known,
    private readonly findings: Findings,
  ) {}

  async decide(sql: Sql, incoming: Incoming): Promise<Outcome> {
    const { operation, fingerprint } = incoming;
    const stored = this.known.receipts.get(operation.op_id);
    if (stored) return replay(operation.op_id, stored, fingerprint);
    const atMs = effectiveAt({
      occurredAtMs: Date.parse(operation.occurred_at),
      offsetMs: operation.clock_offset_ms,
      receivedAtMs: this.context.receivedAtMs,
    });
    const verdict = await this.judge(sql, incoming, atMs);
    const reply = replyOf(verdict, operation.kind);
    if (verdict.status !== 'waiting') this.findings.add(incoming, verdict, { ...reply, atMs });
    return {
      op_id: operation.op_id,
      status: verdict.status,
      replayed: false,
      reply: reply.text,
      httpStatus: reply.httpStatus,
    };
  }

  private async judge(sql: Sql, incoming: Incoming, atMs: number): Promise<Verdict> {
    const { operation, malformed, source } = incoming;
    if (operation.v > operationVersion) return { status: 'waiting', code: 'UNKNOWN_VERSION' };
    if (this.isLate(incoming)) return refused('SUPERSEDES_APPLIED');
    if (malformed) return { status: 'refused', refusal: malformed };
    const objection =
      (source === 'device' && this.denied(operation)) ||
      (await this.unfounded(sql, operation)) ||
      this.misplaced(incoming);
    if (objection) return objection;
    if (isVoid(operation)) return this.applyVoid(operation, atMs);
    if (isDrawerOperation(operation)) return this.applyToDrawer(operation, source, atMs);
    return isOrderOperation(operation)
      ? this.applyToOrder(operation, source, atMs)
      : this.applyToStock(operation, atMs);
  }

  /** SYNC-8: the actor's own role counts, whoever uploads and even after deactivation; the device must have known the actor. */
  private denied(operation: AnyOperation): Verdict | null {
    const { actors } = this.known;
    if (!actors.devices.has(operation.device_id)) return { status: 'waiting', code: 'DEVICE_UNKNOWN' };
    const actor = actors.users.get(operation.actor_id);
    if (!actor || !actors.sessions.has(`${operation.actor_id}@${operation.device_id}`)) return refused('ACTOR_UNKNOWN');
    return may(actor.role, operation.kind) ? null : refused('FORBIDDEN');
  }

  /** What it depends on is not applied, or was given up. */
  private async unfounded(sql: Sql, operation: AnyOperation): Promise<Verdict | null> {
    const { receipts } = this.known;
    for (const dependency of operation.depends_on) {
      const receipt = await currentReceipt(sql, this.context.clinicId, receipts, dependency);
      if (receipt?.status !== 'applied') return { status: 'waiting', code: 'DEPENDENCY_PENDING' };
      // Building on the void itself is nothing but order; building on what it gave up can never come true.
      if (receipt.kind === 'operation.void' && receipts.get(dependency)?.kind !== 'operation.void')
        return refused('DEPENDENCY_VOIDED');
    }
    return null;
  }

  /**
   * SYNC-7: only what is absent or refused, and not replaced already, can be replaced. Nothing else that is wrong is named before
   * this: an operation that came too late must not try again in its own name, or a second replacement would double the first; it
   * can be voided.
   */
  private isLate(incoming: Incoming): boolean {
    return this.replacedBy(incoming).some((old) => {
      const wasLate = codeOf(old) === 'SUPERSEDES_APPLIED' && !isVoid(incoming.operation);
      return old.status === 'applied' || old.superseded_by !== null || wasLate;
    });
  }

  /** What takes the place of an operation stands where that one stood: order holds within an aggregate (SYNC-5). */
  private misplaced(incoming: Incoming): Verdict | null {
    const { aggregate } = incoming.operation;
    const isMisplaced = this.replacedBy(incoming).some(
      (old) => old.aggregate !== aggregate && old.aggregate !== unreadable,
    );
    return isMisplaced ? refused('VALIDATION', { aggregate: 'does not match the operation' }) : null;
  }

  private replacedBy(incoming: Incoming): Receipt[] {
    return closes(incoming).flatMap((opId) => this.known.receipts.get(opId) ?? []);
  }

  private applyVoid(operation: VoidOperation, atMs: number): Verdict {
    this.findings.voids.push({ operation, atMs });
    return { status: 'applied', data: () => ({ voided: operation.payload.op_id }) };
  }

  private applyToOrder(operation: OrderOperation, source: Incoming['source'], atMs: number): Verdict {
    const { order_id: orderId } = operation.payload;
    const order = this.known.orders.get(orderId) ?? null;
    if (operation.kind === 'order.create' && order) return refused('ORDER_EXISTS');
    if (operation.kind !== 'order.create' && !order) {
      // A restored server may not know yet what another tablet will send again; a person who asks gets the answer now.
      return source === 'device' ? { status: 'waiting', code: 'ORDER_NOT_FOUND' } : refused('ORDER_NOT_FOUND');
    }
    const after = reduceOrder(order, operation, atMs)!;
    if (operation.kind === 'order.cancel' && source === 'request') {
      const decision = decideCancel(order!);
      if (!decision.ok) return { status: 'refused', refusal: decision.refusal };
    }
    this.findings.changeOrder(after, operation, atMs);
    if (operation.kind === 'order.create') this.findings.words.push(...patientUpdates(operation, atMs));
    // A person who asks sees the treatment. A device has the change feed for that, and its batch would carry it 200 times.
    const data = () =>
      source === 'request' ? orderResource(after) : { id: after.id, number: after.number, status: statusOf(after) };
    return { status: 'applied', data };
  }

  private applyToDrawer(operation: DrawerOperation, source: Incoming['source'], atMs: number): Verdict {
    const { drawer_id: drawerId } = operation.payload;
    const before = this.known.drawers.get(drawerId) ?? null;
    if (operation.kind === 'drawer.open' && before) return refused('DRAWER_EXISTS');
    if (operation.kind !== 'drawer.open' && !before) {
      return source === 'device' ? { status: 'waiting', code: 'DRAWER_NOT_FOUND' } : refused('DRAWER_NOT_FOUND');
    }
    if (operation.kind === 'drawer.close' && before?.close) return refused('DRAWER_CLOSED');
    const after = reduceDrawer(before, operation, atMs)!;
    this.findings.changeDrawer({ before, after, operation, atMs });
    return { status: 'applied', data: () => (source === 'request' ? drawerResource(after) : { id: drawerId }) };
  }

  private applyToStock({ op_id, payload, actor_id, device_id }: Operation<'stock.adjust'>, atMs: number): Verdict {
    if (!this.known.stock.has(payload.stock_id)) return refused('STOCK_NOT_FOUND', { stock_id: payload.stock_id });
    const amountMilli = milliFromWire(payload.amount);
    this.findings.adjustments.push({
      stockId: payload.stock_id,
      type: adjustmentTypes[payload.action],
      movement:
        payload.action === 'set'
          ? { type: 'count', quantityMilli: amountMilli, effectiveAtMs: atMs }
          : { type: 'delta', changeMilli: payload.action === 'add' ? amountMilli : -amountMilli, effectiveAtMs: atMs },
      referenceType: 'adjustment',
      referenceId: null,
      notes: payload.notes ?? '',
      userId: actor_id,
      deviceId: device_id,
      opId: op_id,
      lineId: null,
    });
    return {
      status: 'applied',
      data: () => ({ stock_id: payload.stock_id, action: payload.action, amount: payload.amount }),
    };
  }
}
