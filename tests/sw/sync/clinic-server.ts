/**
 * The other end of the wire, in memory: it applies operations once with the domain's reducer, keeps receipts, and serves the
 * changes since a cursor. A test can cut the line before or after it did its work, or put other words in its mouth.
 */
import { drawerResource } from '#domain/drawer/resource.ts';
import type { DrawerRowResource } from '#domain/drawer/resource.ts';
import type { Drawer } from '#domain/drawer/drawer.ts';
import { isDrawerOperation, reduceDrawer } from '#domain/drawer/operations.ts';
import { isOrderOperation, reduceOrder } from '#domain/order/operations.ts';
import { occurredAtMs } from '#domain/protocol/operations.ts';
import type { Order } from '#domain/order/order.ts';
import type { PatientResource } from '#domain/patient/resources.ts';
import type { NumberCounters } from '#domain/order/numbers.ts';
import type { AnyOperation } from '#domain/protocol/operations.ts';
import type { ChangesPage, OperationResult, PatientsPage, ReceiptResource } from '#domain/protocol/sync.ts';
import type { RoomRowResource } from '#domain/room/resources.ts';
import type { CategoryResource, StockResource } from '#domain/stock/resources.ts';
import { adjustedQuantity } from '#domain/stock/operations.ts';
import type { NetResponse, Call, Net } from '#sw/sync/ports.ts';
import type { Clock } from '#tests/src/db/tablet.ts';

type Change = { at: number } & (
  | { type: 'order'; id: string }
  | { type: 'stock'; id: number }
  | { type: 'drawer'; row: DrawerRowResource }
  | { type: 'category'; row: CategoryResource }
  | { type: 'room'; id: number; row: RoomRowResource | null }
  | { type: 'patient'; row: PatientResource }
  | { type: 'receipt'; receipt: ReceiptResource }
);

/** Replaces or follows the handling of one call. */
export type Trouble = (call: Call, handle: () => NetResponse) => NetResponse;

export const none: Trouble = (_call, handle) => handle();
export const lost: Trouble = () => null;
export const lostReply: Trouble = (_call, handle) => (handle(), null);
export const says =
  (status: number, json: unknown, retryAfterMs: number | null = null): Trouble =>
  () => ({ status, json, retryAfterMs });
export const error = (status: number, code: string): Trouble => says(status, { success: false, code, message: code });

export const stockResource = (id: number, changes: Partial<StockResource> = {}): StockResource => ({
  id,
  name: `Service ${id}`,
  unit: 'pcs',
  category_id: 1,
  image_url: null,
  supplier: '',
  supplier_contact: '',
  is_stocked: true,
  quantity: 10,
  reserved_quantity: 0,
  low_stock_threshold: 2,
  cost_per_unit: id * 10,
  barcode: null,
  tracks_lots: false,
  is_available: true,
  needs_preparation: true,
  is_favourite: false,
  last_restocked_at: null,
  created_at: '2026-01-01T00:00:00.000Z',
  updated_at: '2026-01-01T00:00:00.000Z',
  ...changes,
});

/** A treatment of 10.00 that another tablet created. */
export const elsewhere = (id: string): Order => ({
  id,
  opId: `op-${id}`,
  number: `T-C1-${id}`,
  type: 'walk_in',
  customerName: '',
  patientId: null,
  roomId: null,
  roomNumber: '',
  notes: '',
  currency: 'EUR',
  discountMinor: 0,
  agreedDiscountMinor: 0,
  discountReason: '',
  chargeMinor: 0,
  createdAtMs: Date.UTC(2026, 4, 12, 9),
  createdBy: 2,
  deviceId: 9,
  lines: [
    {
      lineId: `line-${id}`,
      stockId: 1,
      productId: null,
      name: 'Service 1',
      quantityMilli: 1000,
      unitPriceMinor: 1000,
      notes: '',
      opId: `op-${id}`,
      position: 0,
      replaces: null,
    },
  ],
  payments: [],
  removedLines: [],
  cancels: [],
  changes: [],
  addedNotes: [],
  invoices: [],
});

export class ClinicServer {
  epoch = 'epoch-1';
  tokens = new Set(['token']);
  counters: Record<string, NumberCounters> | null = null;
  unsentRecords = 0;
  /** Server clock minus the tests' clock. */
  skewMs = 0;
  pageSize = 1000;
  /** False for a server whose replies to batches bring no feed. */
  bringsFeed = true;
  readonly orders = new Map<string, Order>();
  readonly stock = new Map<number, StockResource>();
  readonly drawers = new Map<string, Drawer>();
  readonly receipts = new Map<string, OperationResult>();
  readonly calls: Call[] = [];
  readonly batches: AnyOperation[][] = [];
  /** Applied in turn, one per call. */
  readonly troubles: Trouble[] = [];
  /** Asked for every call, after the troubles. */
  rule: Trouble = none;
  /** Returns the error code with which the server refuses an operation, or null. */
  refuses: (operation: AnyOperation) => string | null = () => null;
  codes: string[] = [];

  private readonly log: Change[] = [];
  private readonly clock: Clock;
  private cursorFloor = 0;
  /** The place in the log up to which the first pull has left out patients. */
  private patientsFloor = 0;

  constructor(clock: Clock) {
    this.clock = clock;
  }

  readonly net: Net = async (call) => {
    this.calls.push(call);
    const trouble = this.troubles.shift();
    const handle = () => this.rule(call, () => this.handle(call));
    await Promise.resolve();
    return trouble ? trouble(call, handle) : handle();
  };

  /** Another tablet's doing. */
  change(order: Order): void {
    this.orders.set(order.id, order);
    this.note({ type: 'order', id: order.id });
  }

  changeStock(item: StockResource): void {
    this.stock.set(item.id, item);
    this.note({ type: 'stock', id: item.id });
  }

  changeDrawer(drawer: Drawer): void {
    this.drawers.set(drawer.id, drawer);
    this.note({ type: 'drawer', row: { ...drawerResource(drawer), device_code: 'A7', people: {}, devices: [] } });
  }

  changePatient(row: PatientResource): void {
    this.note({ type: 'patient', row });
  }

  changeCategory(row: CategoryResource): void {
    this.note({ type: 'category', row });
  }

  /** Null: it was deleted. */
  changeRoom(id: number, row: Omit<RoomRowResource, 'id'> | null): void {
    this.note({ type: 'room', id, row: row && { id, ...row } });
  }

  /** A manager on another device gives up what was refused of this one. */
  closeElsewhere(opId: string, supersededBy: string): void {
    this.note({
      type: 'receipt',
      receipt: {
        op_id: opId,
        device_seq: 0,
        status: 'refused',
        code: 'VALIDATION',
        message: null,
        details: null,
        superseded_by: supersededBy,
        operation: null,
      },
    });
  }

  /** A patient was erased: the operations of their treatments come back rewritten. */
  erasePatient(id: string, rewritten: readonly AnyOperation[]): void {
    for (const order of [...this.orders.values()].filter(({ patientId }) => patientId === id))
      this.change({ ...order, customerName: '', notes: '' });
    for (const operation of rewritten) {
      const { op_id, device_seq } = operation;
      const status = this.receipts.get(op_id)?.status === 'applied' ? ('applied' as const) : ('refused' as const);
      const receipt = { op_id, device_seq, status, code: null, message: null, details: null };
      this.note({ type: 'receipt', receipt: { ...receipt, superseded_by: null, operation } });
    }
    this.changePatient({ id, name: '', phone: '', erased_at: '2026-05-12T10:00:00.000Z' });
  }

  forgetCursors(): void {
    this.note({ type: 'order', id: 'nobody' });
    this.cursorFloor = this.log.length;
  }

  /** A backup without any of the treatments and receipts is brought back. */
  restoreEmpty(): void {
    this.epoch = `${this.epoch}+`;
    this.orders.clear();
    this.receipts.clear();
    this.log.length = 0;
  }

  private note(change: DistributiveOmit<Change, 'at'>): void {
    this.log.push({ ...change, at: this.log.length + 1 });
  }

  private handle({ path, body, token }: Call): NetResponse {
    const answer = (status: number, json: unknown): NetResponse => ({
      status,
      json: JSON.parse(JSON.stringify(json)) as unknown,
      retryAfterMs: null,
    });
    const server_time = new Date(this.clock.now + this.skewMs).toISOString();
    if (!this.tokens.has(token)) return answer(401, { success: false, code: 'SESSION_EXPIRED', message: '' });
    if (path.startsWith('/sync/batch')) {
      const { operations } = JSON.parse(body!) as { operations: AnyOperation[] };
      this.batches.push(operations);
      const results = operations.map((operation) => this.apply(operation));
      const feed = this.bringsFeed ? this.feedAfter(path) : null;
      return answer(200, {
        success: true,
        data: { epoch: this.epoch, server_time, results, ...(feed && { feed: { ...feed, server_time } }) },
      });
    }
    if (path === '/devices') {
      this.codes.push('B1');
      const data = {
        device_id: 3,
        code: 'B1',
        counters: { treatment: 0, invoice: 0, credit_note: 0 },
        last_seq: 500,
        epoch: this.epoch,
        server_time,
      };
      return answer(200, { success: true, data });
    }
    if (path.startsWith('/sync/patients')) {
      const after = new URL(path, 'http://x').searchParams.get('after') ?? '';
      return answer(200, { success: true, data: { ...this.patientsAfter(after), epoch: this.epoch, server_time } });
    }
    const cursor = cursorIn(path);
    if (cursor !== null && Number(cursor) < this.cursorFloor) {
      return answer(410, { success: false, code: 'CURSOR_GONE', message: '' });
    }
    const isLater = path.includes('later=patients');
    if (cursor === null && isLater) this.patientsFloor = this.log.length;
    const page = this.page(Number(cursor ?? 0), isLater ? this.patientsFloor : 0);
    const flag = cursor === null && isLater && { patients_follow: true };
    return answer(200, { success: true, data: { ...page, ...flag, server_time } });
  }

  private patientsAfter(after: string): Pick<PatientsPage, 'patients' | 'more'> {
    const rows = new Map(
      this.log.flatMap((change) => (change.type === 'patient' ? [[change.row.id, change.row]] : [])),
    );
    const following = [...rows.values()].filter(({ id }) => id > after).sort((a, b) => (a.id < b.id ? -1 : 1));
    return { patients: following.slice(0, this.pageSize), more: following.length > this.pageSize };
  }

  /** Returns the changes since the cursor of a batch if one page holds them. */
  private feedAfter(path: string): Omit<ChangesPage, 'server_time'> | null {
    const cursor = cursorIn(path);
    if (cursor === null || Number(cursor) < this.cursorFloor) return null;
    const page = this.page(Number(cursor));
    return page.more ? null : page;
  }

  private apply(operation: AnyOperation): OperationResult {
    const { op_id, device_seq } = operation;
    const known = this.receipts.get(op_id);
    if (known) return { ...known, replayed: true };
    const unmet = operation.depends_on.some((id) => !this.isApplied(id));
    if (unmet) {
      return {
        op_id,
        status: 'waiting',
        replayed: false,
        reply: { success: false, code: 'DEPENDENCY_PENDING', message: '' },
      };
    }
    const refusal = this.refuses(operation);
    const result: OperationResult = refusal
      ? {
          op_id,
          status: 'refused',
          replayed: false,
          reply: { success: false, code: refusal as 'VALIDATION', message: refusal },
        }
      : { op_id, status: 'applied', replayed: false, reply: { success: true, data: null } };
    if (!refusal) this.reduce(operation);
    if (refusal === 'UNKNOWN_VERSION') return result;
    this.receipts.set(op_id, result);
    const code = refusal as ReceiptResource['code'];
    const receipt = {
      op_id,
      device_seq,
      status: refusal ? ('refused' as const) : ('applied' as const),
      code,
      message: null,
      details: null,
      superseded_by: null,
      operation: null,
    };
    this.note({ type: 'receipt', receipt });
    return result;
  }

  private isApplied(opId: string): boolean {
    if (this.receipts.get(opId)?.status === 'applied') return true;
    return this.batches.flat().some((operation) => operation.supersedes === opId && this.isApplied(operation.op_id));
  }

  private reduce(operation: AnyOperation): void {
    if (isOrderOperation(operation)) {
      const id = operation.payload.order_id;
      const order = reduceOrder(this.orders.get(id) ?? null, operation, occurredAtMs(operation));
      if (order) this.change(order);
      const patient = operation.kind === 'order.create' && operation.payload.patient;
      if (patient) this.changePatient({ id: patient.patient_id, name: patient.name, phone: patient.phone ?? '' });
      return;
    }
    if (isDrawerOperation(operation)) {
      const drawer = reduceDrawer(
        this.drawers.get(operation.payload.drawer_id) ?? null,
        operation,
        occurredAtMs(operation),
      );
      if (drawer) this.changeDrawer(drawer);
      return;
    }
    const item = operation.kind === 'stock.adjust' && this.stock.get(operation.payload.stock_id);
    if (item) this.changeStock({ ...item, quantity: adjustedQuantity(item.quantity * 1000, operation.payload) / 1000 });
  }

  /** @param patientsFrom up to there, patients are left out */
  private page(from: number, patientsFrom = 0): Omit<ChangesPage, 'server_time'> {
    const changes = this.log.filter(({ at }) => at > from).slice(0, this.pageSize);
    const cursor = changes.at(-1)?.at ?? from;
    const orderIds = new Set(changes.flatMap((change) => (change.type === 'order' ? change.id : [])));
    const stockIds = new Set(changes.flatMap((change) => (change.type === 'stock' ? change.id : [])));
    return {
      epoch: this.epoch,
      cursor: String(cursor),
      more: this.log.some(({ at }) => at > cursor),
      rows: {
        orders: [...orderIds].flatMap((id) => this.orders.get(id) ?? []),
        stock: [...stockIds].map((id) => this.stock.get(id)!),
        products: [],
        categories: changes.flatMap((change) => (change.type === 'category' ? change.row : [])),
        attention: [],
        drawers: changes.flatMap((change) => (change.type === 'drawer' ? change.row : [])),
        rooms: changes.flatMap((change) => (change.type === 'room' && change.row ? change.row : [])),
        patient_details: [],
        patients: changes.flatMap((change) =>
          change.type === 'patient' && change.at > patientsFrom ? change.row : [],
        ),
        settings: null,
      },
      tombstones: {
        stock: [],
        products: [],
        categories: [],
        rooms: changes.flatMap((change) => (change.type === 'room' && !change.row ? change.id : [])),
      },
      receipts: changes.flatMap((change) => (change.type === 'receipt' ? change.receipt : [])),
      counters: this.counters,
      ...(this.unsentRecords > 0 && { unsent_records: this.unsentRecords }),
    };
  }
}

const cursorIn = (path: string): string | null => new URL(path, 'http://x').searchParams.get('cursor');

type DistributiveOmit<T, K extends PropertyKey> = T extends unknown ? Omit<T, K> : never;
