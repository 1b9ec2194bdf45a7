/** What a transaction has found and is going to write: effects and receipts, as sets, together or not at all (SYNC-4). */
import type { Order } from '../../domain/order/order.ts';
import type { PatientUpdate } from '../../domain/patient/patient.ts';
import type { AnyOperation } from '../../domain/protocol/operations.ts';
import { clearRefusals, raiseAttention } from '../modules/attention/service.ts';
import type { Concern } from '../modules/attention/service.ts';
import { writeDrawers } from '../modules/drawers/service.ts';
import type { DrawerStep } from '../modules/drawers/service.ts';
import { writeLedger } from '../modules/ledger/service.ts';
import type { LedgerEntry } from '../modules/ledger/service.ts';
import { recordPatients } from '../modules/patients/service.ts';
import { withOperation, writeOrders } from '../modules/orders/service.ts';
import type { OrderChange } from '../modules/orders/service.ts';
import { isoOf } from '../db/sql.ts';
import type { Sql } from '../db/sql.ts';
import type { ApplyContext, Incoming } from './apply.ts';
import { circumstancesOf, discountExcess, neverArrived, orderIdOf } from './describe.ts';
import { closes } from './loaded.ts';
import type { Known } from './loaded.ts';
import { closeReceipts, insertReceipts } from './receipts.ts';
import type { Closing, NewReceipt } from './receipts.ts';
import { noteDeviceProgress } from './store.ts';
import { refusalReply } from './outcome.ts';
import type { Reply, Verdict } from './outcome.ts';
import { auditVoids, isVoid } from './voids.ts';
import type { AppliedVoid } from './voids.ts';

type Final = Exclude<Verdict, { status: 'waiting' }>;

export class Findings {
  readonly adjustments: LedgerEntry[] = [];
  readonly voids: AppliedVoid[] = [];
  /** What was said of patients. */
  readonly words: PatientUpdate[] = [];
  private readonly changes = new Map<string, OrderChange>();
  private readonly drawerSteps: DrawerStep[] = [];
  private readonly receipts: NewReceipt[] = [];
  private readonly concerns: Concern[] = [];
  private readonly closed: Closing[] = [];

  /** @param known is kept in step with what is found, so that the next operation is judged by it */
  constructor(
    private readonly context: ApplyContext,
    private readonly known: Known,
  ) {}

  changeOrder(after: Order, { op_id: opId, actor_id: actorId, device_id: deviceId }: AnyOperation, atMs: number): void {
    const change = this.changes.get(after.id) ?? { before: this.known.orders.get(after.id) ?? null, completions: [] };
    this.changes.set(after.id, withOperation(change, { opId, actorId, deviceId, atMs }, after));
    this.known.orders.set(after.id, after);
  }

  changeDrawer(step: DrawerStep): void {
    this.drawerSteps.push(step);
    this.known.drawers.set(step.after.id, step.after);
  }

  /** An operation's final verdict, and all that follows from it. */
  add(incoming: Incoming, verdict: Final, { text, httpStatus, atMs }: Reply & { atMs: number }): void {
    const { operation, fingerprint } = incoming;
    this.addReceipt({
      envelope: operation,
      fingerprint,
      effectiveAtMs: atMs,
      status: verdict.status,
      reply: text,
      httpStatus,
    });
    const refusal = verdict.status === 'refused' ? verdict.refusal : null;
    // A refused replacement stands in the tray for what it replaced; a refused void leaves what it meant to give up as it was.
    const replaces = refusal === null || (refusal.code !== 'SUPERSEDES_APPLIED' && !isVoid(operation));
    if (replaces) for (const opId of closes(incoming)) this.supersede(operation, opId);
    this.addConcern(incoming, refusal, atMs);
  }

  private addReceipt(receipt: Omit<NewReceipt, 'uploadedBy' | 'receivedAtMs'>): void {
    const { uploadedBy, receivedAtMs } = this.context;
    const {
      envelope: { op_id, kind, aggregate },
      fingerprint,
      status,
      reply,
      httpStatus,
    } = receipt;
    this.receipts.push({ ...receipt, uploadedBy, receivedAtMs });
    this.known.receipts.set(op_id, {
      op_id,
      kind,
      aggregate,
      fingerprint,
      status,
      reply,
      http_status: httpStatus,
      superseded_by: null,
    });
  }

  private addConcern(
    { operation, source }: Incoming,
    refusal: Extract<Final, { status: 'refused' }>['refusal'] | null,
    atMs: number,
  ): void {
    const { op_id: opId, kind: opKind, aggregate, actor_id } = operation;
    const { actors } = this.known;
    const actor = actors.users.get(actor_id);
    const circumstances = circumstancesOf(operation, actors);
    const concern = { opId, opKind, orderId: orderIdOf(aggregate) };
    if (refusal && source === 'device') {
      this.concerns.push({
        kind: 'refused',
        ...concern,
        details: { ...refusal.details, ...circumstances, code: refusal.code },
      });
    }
    const deactivatedAtMs = actor?.deactivatedAtMs ?? null;
    if (!refusal && deactivatedAtMs !== null && atMs > deactivatedAtMs) {
      this.concerns.push({ kind: 'late_work', ...concern, details: circumstances });
    }
    const excess = refusal ? null : discountExcess(operation, actor?.role, this.context.discountLimitPercent);
    if (excess)
      this.concerns.push({ kind: 'discount_over_limit', ...concern, details: { ...circumstances, ...excess } });
  }

  /**
   * SYNC-7: the replaced operation can never be applied afterwards, even if it never arrived. What is closed stays closed by
   * whoever closed it: a replacement of a wrong form, one that names itself among them, is refused before anybody asks what it
   * replaces.
   */
  private supersede({ op_id, aggregate }: AnyOperation, opId: string): void {
    if (!this.known.receipts.has(opId)) this.addReceipt(this.unseen(opId, aggregate));
    const old = this.known.receipts.get(opId)!;
    if (old.superseded_by) return;
    old.superseded_by = op_id;
    this.closed.push({ opId, by: op_id });
  }

  /**
   * The receipt of an operation that never arrived. Who did what, when and on which device is not known: what its replacement
   * says of these is the replacement's own.
   */
  private unseen(opId: string, aggregate: string): Omit<NewReceipt, 'uploadedBy' | 'receivedAtMs'> {
    const { receivedAtMs } = this.context;
    const { text, httpStatus } = refusalReply({ code: 'SUPERSEDED' });
    return {
      envelope: {
        op_id: opId,
        device_id: null,
        device_seq: 0,
        aggregate,
        depends_on: [],
        kind: neverArrived,
        v: 1,
        payload: {},
        actor_id: 0,
        occurred_at: isoOf(receivedAtMs),
        clock_offset_ms: null,
      },
      fingerprint: '',
      effectiveAtMs: receivedAtMs,
      status: 'refused',
      reply: text,
      httpStatus,
    };
  }

  async write(sql: Sql): Promise<void> {
    const { clinicId, receivedAtMs } = this.context;
    if (this.receipts.length === 0) return;
    await recordPatients(sql, clinicId, this.words);
    // Before the treatments: the device's row is locked from here on, so that of two storages with one device's numbers the second
    // finds what the first has written.
    await noteDeviceProgress(sql, clinicId, receivedAtMs, this.receipts);
    const work = await writeOrders(sql, this.context, [...this.changes.values()]);
    await writeDrawers(sql, clinicId, this.drawerSteps);
    await insertReceipts(sql, clinicId, this.receipts);
    await closeReceipts(sql, clinicId, this.closed);
    await raiseAttention(sql, clinicId, receivedAtMs, this.concerns);
    await clearRefusals(
      sql,
      clinicId,
      receivedAtMs,
      this.closed.map(({ opId }) => opId),
    );
    await auditVoids(sql, clinicId, this.voids);
    // Last: every tablet sells the same items, and whoever waits for one waits for all that comes after it.
    await writeLedger(sql, clinicId, receivedAtMs, { ...work, entries: [...work.entries, ...this.adjustments] });
  }
}
