/**
 * Applying operations. One transaction judges a batch: everything it needs is locked and read as sets, the pure rules of
 * `domain` decide and compute in memory, and effects and receipts are written as sets (SYNC-3, SYNC-4). A refused or
 * waiting operation leaves nothing behind because nothing is written before all are judged.
 *
 * Locks are taken in one order everywhere, so batches cannot wait for each other in a circle: aggregates by key, then
 * stock items by id, then devices by id.
 */
import { effectiveAt } from '../../../domain/business-day.ts';
import { agreeCancel } from '../../../domain/order/decisions.ts';
import { orderDocument } from '../../../domain/order/document.ts';
import { statusOf } from '../../../domain/order/order.ts';
import type { Order } from '../../../domain/order/order.ts';
import { isOrderOperation, reduceOrder } from '../../../domain/order/reducer.ts';
import type { OrderOperation } from '../../../domain/order/reducer.ts';
import { may } from '../../../domain/permissions.ts';
import { errorCatalogue } from '../../../domain/protocol/errors.ts';
import type { ErrorCode } from '../../../domain/protocol/errors.ts';
import { operationVersion } from '../../../domain/protocol/operations.ts';
import type { AnyOperation, Operation, OperationKind } from '../../../domain/protocol/operations.ts';
import { milliFromWire } from '../../../domain/quantity.ts';
import type { Refusal } from '../../../domain/result.ts';
import { clearRefusals, raiseAttention } from '../attention/service.ts';
import type { Concern } from '../attention/service.ts';
import { knownItems, writeLedger } from '../ledger/service.ts';
import type { LedgerEntry } from '../ledger/service.ts';
import { loadOrders, writeOrders } from '../orders/service.ts';
import type { OrderChange } from '../orders/service.ts';
import type { Sql } from '../../db/sql.ts';
import { lockAggregates, loadActors, noteDeviceProgress } from './store.ts';
import type { Actors } from './store.ts';
import { circumstancesOf, orderIdOf } from './facts.ts';
import { auditVoids, closedBy, isVoid, neverArrived } from './voids.ts';
import type { AppliedVoid } from './voids.ts';
import { closeReceipt, currentReceipt, insertReceipts, loadReceipts } from './receipts.ts';
import type { NewReceipt, Receipt, StoredReply } from './receipts.ts';


/** The aggregate of what reached the server in an envelope that it could not read. */
export const unreadable = 'unknown';

/** An operation as it reached the server, its form already judged. */
export interface Incoming {
  /** A device's queued fact, or a REST call that this process turned into one. */
  source: 'device' | 'request';
  operation: AnyOperation;
  fingerprint: string;
  /** Set when the form was wrong: the operation is refused whatever it says. */
  malformed?: Refusal;
}

export interface Outcome {
  op_id: string;
  status: 'applied' | 'refused' | 'waiting';
  replayed: boolean;
  /** The reply as JSON text; stored unless waiting. */
  reply: string;
  httpStatus: number;
}

export interface ApplyContext {
  clinicId: number;
  uploadedBy: number;
  receivedAtMs: number;
  timeZone: string;
}

/** What a verdict says about an operation before anything is written. */
type Verdict =
  | { status: 'applied'; data: () => unknown }
  | { status: 'refused'; refusal: Refusal }
  | { status: 'waiting'; code: ErrorCode };

const refused = (code: ErrorCode, details?: Refusal['details']): Verdict => ({
  status: 'refused',
  refusal: details ? { code, details } : { code },
});

/** Applies operations in the order given, inside the caller's transaction. One outcome per operation, in the same order. */
export async function applyOperations(sql: Sql, context: ApplyContext, incoming: readonly Incoming[]): Promise<Outcome[]> {
  const { clinicId } = context;
  const operations = incoming.map(({ operation }) => operation);
  await lockAggregates(sql, clinicId, operations.map(({ aggregate }) => aggregate));
  const judge = new Judge(context, {
    receipts: await loadReceipts(sql, clinicId, incoming.flatMap((one) => [one.operation.op_id, ...one.operation.depends_on, ...closes(one)])),
    actors: await loadActors(sql, clinicId, operations),
    orders: await loadOrders(sql, clinicId, [...new Set(operations.filter(isOrderOperation).map((op) => op.payload.order_id))].filter(Boolean)),
    stock: await knownItems(sql, clinicId, operations.filter((op) => op.kind === 'stock.adjust').map((op) => op.payload.stock_id)),
  });
  const outcomes: Outcome[] = [];
  for (const one of incoming) outcomes.push(await judge.decide(sql, one));
  await judge.write(sql);
  return outcomes;
}

/** What is replaced; a void whose form is wrong closes nothing, for nobody has read what it names. */
const closes = ({ operation, malformed }: Incoming): string[] => (malformed && isVoid(operation) ? [] : closedBy(operation));

interface Known {
  receipts: Map<string, Receipt>;
  actors: Actors;
  orders: Map<string, Order>;
  stock: Set<number>;
}

/** The working memory of one transaction: what was read, what is decided, what is to be written. */
class Judge {
  private readonly before: ReadonlyMap<string, Order>;
  private readonly changed = new Set<string>();
  private readonly newReceipts: NewReceipt[] = [];
  private readonly concerns: Concern[] = [];
  private readonly adjustments: LedgerEntry[] = [];
  private readonly closed: { opId: string; by: string }[] = [];
  private readonly voids: AppliedVoid[] = [];

  constructor(
    private readonly context: ApplyContext,
    private readonly known: Known,
  ) {
    this.before = new Map(known.orders);
  }

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
    const { text, httpStatus } = replyOf(verdict, operation.kind);
    if (verdict.status !== 'waiting') this.remember(incoming, verdict, { text, httpStatus, atMs });
    return { op_id: operation.op_id, status: verdict.status, replayed: false, reply: text, httpStatus };
  }

  private async judge(sql: Sql, incoming: Incoming, atMs: number): Promise<Verdict> {
    const { operation, malformed, source } = incoming;
    if (malformed) return { status: 'refused', refusal: malformed };
    if (operation.v > operationVersion) return { status: 'waiting', code: 'UNKNOWN_VERSION' };
    const denial = source === 'device' ? this.denied(operation) : null;
    if (denial) return denial;
    for (const dependency of operation.depends_on) {
      const receipt = await currentReceipt(sql, this.context.clinicId, this.known.receipts, dependency);
      if (receipt?.status !== 'applied') return { status: 'waiting', code: 'DEPENDENCY_PENDING' };
      // Building on the void itself is nothing but order; building on what it gave up can never come true.
      if (receipt.kind === 'operation.void' && this.known.receipts.get(dependency)?.kind !== 'operation.void') {
        return refused('DEPENDENCY_VOIDED');
      }
    }
    const objection = this.irreplaceable(operation);
    if (objection) return objection;
    if (isVoid(operation)) return this.applyVoid(operation, atMs);
    return isOrderOperation(operation) ? this.applyToOrder(operation, source, atMs) : this.applyToStock(operation, atMs);
  }

  /**
   * SYNC-7: only what is absent or refused, and not replaced already, can be replaced. An operation that was itself refused for
   * coming too late must not try again in its own name, or a second replacement would double the first; it can be voided.
   */
  private irreplaceable(operation: AnyOperation): Verdict | null {
    for (const opId of closedBy(operation)) {
      const old = this.known.receipts.get(opId);
      if (!old) continue;
      if (old.status === 'applied' || old.superseded_by) return refused('SUPERSEDES_APPLIED');
      if (!isVoid(operation) && codeOf(old) === 'SUPERSEDES_APPLIED') return refused('SUPERSEDES_APPLIED');
      // The lock that a void holds is its aggregate's, so it must be the right one.
      if (isVoid(operation) && old.aggregate !== operation.aggregate && old.aggregate !== unreadable) return refused('VALIDATION', { aggregate: 'does not match the operation' });
    }
    return null;
  }

  private applyVoid(operation: AppliedVoid['operation'], atMs: number): Verdict {
    this.voids.push({ operation, atMs });
    return { status: 'applied', data: () => ({ voided: operation.payload.op_id }) };
  }

  /** SYNC-8: the actor's own role counts, whoever uploads and even after deactivation; the device must have known the actor. */
  private denied(operation: AnyOperation): Verdict | null {
    const { actors } = this.known;
    if (!actors.devices.has(operation.device_id)) return { status: 'waiting', code: 'DEVICE_UNKNOWN' };
    const actor = actors.users.get(operation.actor_id);
    if (!actor || !actors.sessions.has(`${operation.actor_id}@${operation.device_id}`)) return refused('ACTOR_UNKNOWN');
    return may(actor.role, operation.kind) ? null : refused('FORBIDDEN');
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
      const decision = agreeCancel(order!);
      if (!decision.ok) return { status: 'refused', refusal: decision.refusal };
    }
    this.known.orders.set(orderId, after);
    this.changed.add(orderId);
    // A person who asks sees the treatment. A device has the change feed for that, and its batch would carry it 200 times.
    const data = () => (source === 'request' ? orderDocument(after) : { id: after.id, number: after.number, status: statusOf(after) });
    return { status: 'applied', data };
  }

  private applyToStock({ op_id, payload, actor_id, device_id }: Operation<'stock.adjust'>, atMs: number): Verdict {
    if (!this.known.stock.has(payload.stock_id)) return refused('STOCK_NOT_FOUND', { stock_id: payload.stock_id });
    const amountMilli = milliFromWire(payload.amount);
    this.adjustments.push({
      stockId: payload.stock_id,
      type: 'manual_adjustment',
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
    return { status: 'applied', data: () => ({ stock_id: payload.stock_id, action: payload.action, amount: payload.amount }) };
  }

  private remember(
    incoming: Incoming,
    verdict: Exclude<Verdict, { status: 'waiting' }>,
    { text, httpStatus, atMs }: { text: string; httpStatus: number; atMs: number },
  ): void {
    const { operation, fingerprint, source } = incoming;
    const { op_id, kind, aggregate } = operation;
    const { uploadedBy, receivedAtMs } = this.context;
    this.newReceipts.push({
      envelope: operation, uploadedBy, fingerprint, receivedAtMs, effectiveAtMs: atMs, status: verdict.status, reply: text, httpStatus,
    });
    this.known.receipts.set(op_id, { op_id, kind, aggregate, fingerprint, status: verdict.status, reply: text, http_status: httpStatus, superseded_by: null });
    const refusal = verdict.status === 'refused' ? verdict.refusal : null;
    // A refused replacement stands in the tray for what it replaced; a refused void leaves what it meant to give up as it was.
    const replaces = refusal === null || (refusal.code !== 'SUPERSEDES_APPLIED' && !isVoid(operation));
    if (replaces) for (const opId of closes(incoming)) this.supersede(operation, opId);
    const orderId = orderIdOf(aggregate);
    const circumstances = circumstancesOf(operation, this.known.actors);
    const concern = { opId: op_id, opKind: kind, orderId };
    if (refusal && source === 'device') {
      this.concerns.push({ kind: 'refused', ...concern, details: { ...refusal.details, ...circumstances, code: refusal.code } });
    }
    const deactivatedAtMs = this.known.actors.users.get(operation.actor_id)?.deactivatedAtMs ?? null;
    if (!refusal && deactivatedAtMs !== null && atMs > deactivatedAtMs) {
      this.concerns.push({ kind: 'late_work', ...concern, details: circumstances });
    }
  }

  /** SYNC-7: the replaced operation can never be applied afterwards, even if it never arrived. */
  private supersede(operation: AnyOperation, supersedes: string): void {
    const old = this.known.receipts.get(supersedes);
    if (!old) {
      const { text, httpStatus } = replyOf(refused('SUPERSEDED'));
      const { supersedes: _, ...envelope } = { ...operation, op_id: supersedes, ...(isVoid(operation) && { kind: neverArrived, payload: {} }) };
      const { uploadedBy, receivedAtMs } = this.context;
      this.newReceipts.push({
        envelope, uploadedBy, fingerprint: '', receivedAtMs, effectiveAtMs: receivedAtMs, status: 'refused', reply: text, httpStatus,
      });
      this.known.receipts.set(supersedes, {
        op_id: supersedes, kind: envelope.kind, aggregate: operation.aggregate, fingerprint: '', status: 'refused', reply: text, http_status: httpStatus, superseded_by: null,
      });
    }
    this.known.receipts.get(supersedes)!.superseded_by = operation.op_id;
    this.closed.push({ opId: supersedes, by: operation.op_id });
  }

  async write(sql: Sql): Promise<void> {
    const { clinicId, receivedAtMs } = this.context;
    if (this.newReceipts.length === 0) return;
    const changes: OrderChange[] = [...this.changed].map((id) => ({ before: this.before.get(id) ?? null, after: this.known.orders.get(id)! }));
    const work = await writeOrders(sql, this.context, changes);
    await insertReceipts(sql, clinicId, this.newReceipts);
    for (const { opId, by } of this.closed) await closeReceipt(sql, clinicId, opId, by);
    await raiseAttention(sql, clinicId, receivedAtMs, this.concerns);
    await clearRefusals(sql, clinicId, receivedAtMs, this.closed.map(({ opId }) => opId));
    await auditVoids(sql, clinicId, this.voids);
    await writeLedger(sql, clinicId, receivedAtMs, { ...work, entries: [...work.entries, ...this.adjustments] });
    await noteDeviceProgress(sql, clinicId, receivedAtMs, this.newReceipts);
  }
}

/** A replay gets the stored reply; the same key with other content is another request and gets neither stored nor applied. */
function replay(opId: string, stored: Receipt, fingerprint: string): Outcome {
  // A closed operation that never arrived has no fingerprint: whatever it was, the answer is its refusal.
  if (stored.fingerprint !== '' && stored.fingerprint !== fingerprint) {
    const { text, httpStatus } = replyOf(refused('IDEMPOTENCY_MISMATCH'));
    return { op_id: opId, status: 'refused', replayed: false, reply: text, httpStatus };
  }
  return { op_id: opId, status: stored.status, replayed: true, reply: stored.reply, httpStatus: stored.http_status };
}

const codeOf = ({ reply }: Receipt): ErrorCode | undefined => (JSON.parse(reply) as { code?: ErrorCode }).code;

/** A verdict as the reply that is stored and sent. */
function replyOf(verdict: Verdict, kind?: OperationKind): { text: string; httpStatus: number } {
  if (verdict.status === 'applied') {
    const text = JSON.stringify({ success: true, data: verdict.data() } satisfies StoredReply);
    return { text, httpStatus: kind === 'order.create' ? 201 : 200 };
  }
  return refusalReply(verdict.status === 'refused' ? verdict.refusal : { code: verdict.code });
}

export function refusalReply(refusal: Refusal): { text: string; httpStatus: number } {
  const { status, message } = errorCatalogue[refusal.code];
  const body: StoredReply = { success: false, code: refusal.code, message, ...(refusal.details ? { details: refusal.details } : {}) };
  return { text: JSON.stringify(body), httpStatus: status };
}
