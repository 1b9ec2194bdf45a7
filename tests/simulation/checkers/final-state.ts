/** The server's tables and the tablets' storage after a history has settled, read without the product's own readers. */
import type { FiscalRecord } from '#domain/fiscal/record.ts';
import type { PatientDetailsResource, PatientResource } from '#domain/patient/resources.ts';
import type { AnyOperation } from '#domain/protocol/operations.ts';
import type { CatalogueItem, DeviceRow, OperationState, OrderRow, OutageRow, DocumentRow } from '#src/db/database.ts';
import type { StoredOperation } from '#tests/ledger/wire.ts';
import type { ClientLog } from '../clients/client-log.ts';
import type { Clinic } from '../cluster/clinic.ts';
import type { Scheduler } from '../runtime/scheduler.ts';
import type { SimulatedTablet } from '../clients/tablet.ts';

export interface ReceiptRow {
  op_id: string;
  device_id: number;
  device_seq: number;
  aggregate: string;
  kind: string;
  actor_id: number;
  uploaded_by: number;
  received_ms: number;
  effective_ms: number;
  status: 'applied' | 'refused';
  reply: string;
  superseded_by: string | null;
}
export interface ServerOrder {
  id: string;
  number: string;
  status: string;
  total_minor: number;
  reduction_minor: number;
  paid_minor: number;
  balance_minor: number;
  discount_minor: number;
  agreed_discount_minor: number;
  created_by: number;
  added_notes: { opId: string; text: string }[];
}
export interface LineRow {
  id: string;
  order_id: string;
  position: number;
  op_id: string;
  stock_id: number | null;
  product_id: number | null;
  quantity_milli: number;
  unit_price_minor: number;
  earned_minor: number;
  usage_at: string | null;
  replaces: string | null;
  removed: boolean;
}
export interface PaymentRow {
  id: string;
  order_id: string;
  position: number;
  op_id: string;
  method: string;
  amount_minor: number;
  tendered_minor: number;
  change_minor: number;
  credit_note_number: string | null;
  credit_note: object | null;
  reduction_minor: number;
  still_owed: boolean;
  refunded_lines: { lineId: string; amountMinor: number }[];
  actor_id: number;
}
export interface InvoiceRow {
  id: string;
  order_id: string;
  op_id: string;
  number: string;
  document: Record<string, unknown>;
}
export interface LedgerRow {
  id: number;
  stock_id: number;
  type: string;
  is_count: boolean;
  quantity_milli: number;
  effect_milli: number;
  op_id: string;
  line_id: string | null;
  effective_ms: number;
}
export interface ItemRow {
  id: number;
  quantity_milli: number;
  reserved_milli: number;
  deleted_at: string | null;
}
export interface CodeRow {
  code: string;
  device_id: number;
  treatment: number;
  invoice: number;
  credit_note: number;
  full_invoice: number;
  full_credit_note: number;
  retired_at: string | null;
}
export interface RecordRow {
  id: number;
  chain: string;
  /** 0 for the server's own. */
  device_id: number;
  sequence: number;
  hash: string;
  seal: string;
  record: FiscalRecord;
}
export interface SendingRow {
  record_id: number;
  state: 'unsent' | 'accepted' | 'accepted_with_errors' | 'rejected' | 'not_sent';
  attempts: number;
  held_for: string | null;
  code: number | null;
}
export interface DrawerRow {
  id: string;
  device_id: number;
  float_minor: number;
  opened_by: number;
  opened_ms: number;
  closed_by: number | null;
  closed_ms: number | null;
  counted: Record<string, number> | null;
}
export interface MovementRow {
  op_id: string;
  drawer_id: string;
  amount_minor: number;
  actor_id: number;
  effective_ms: number;
}
export interface VoidRow {
  user_id: number;
  device_id: number;
  subject: string;
  details: Record<string, string>;
}
export interface PatientRow {
  id: string;
  name: string;
  phone: string;
  email: string;
  notes: string;
  recipient: object | null;
  erased_at: string | null;
}
export interface AttentionRow {
  kind: string;
  op_id: string | null;
  op_kind: string | null;
  order_id: string | null;
  settled_at: string | null;
  details: Record<string, unknown>;
}

export interface ServerState {
  receipts: ReceiptRow[];
  /** The accepted operations on treatments and drawers, in the order of their arrival. */
  accepted: StoredOperation[];
  orders: ServerOrder[];
  lines: LineRow[];
  payments: PaymentRow[];
  cancels: { op_id: string; order_id: string; annulled: boolean }[];
  changes: { op_id: string; order_id: string }[];
  invoices: InvoiceRow[];
  ledger: LedgerRow[];
  items: ItemRow[];
  products: { id: number; deleted_at: string | null }[];
  codes: CodeRow[];
  records: RecordRow[];
  sendings: SendingRow[];
  drawers: DrawerRow[];
  movements: MovementRow[];
  voids: VoidRow[];
  attention: AttentionRow[];
  patients: PatientRow[];
  erasures: { patient_id: string }[];
}

export interface TabletState {
  tablet: SimulatedTablet;
  operations: Map<string, AnyOperation>;
  states: Map<string, OperationState>;
  orders: Map<string, OrderRow>;
  /** The ids of treatments that still have outstanding operations on this tablet. */
  replayed: Set<string>;
  catalogue: CatalogueItem[];
  patients: PatientResource[];
  patientDetails: PatientDetailsResource[];
  documents: DocumentRow[];
  outages: OutageRow[];
  device: DeviceRow | undefined;
  link: string | undefined;
}

const rows = (table: string, columns: string, order: string) =>
  `(select coalesce(json_agg(r order by ${order}), '[]') from (select ${columns} from ${table} where clinic_id = $1) r)`;
const ms = (column: string, name: string) => `(extract(epoch from ${column}) * 1000)::bigint as ${name}`;

const everything = `select json_build_object(
  'receipts', ${rows('sync_ops', `op_id, device_id, device_seq, aggregate, kind, actor_id, uploaded_by, ${ms('received_at', 'received_ms')}, ${ms('effective_at', 'effective_ms')}, status, reply, superseded_by`, 'op_id')},
  'accepted', (select coalesce(json_agg(r order by xid, received_at, device_seq), '[]') from (
    select op_id, kind, payload, device_id, actor_id, ${ms('effective_at', 'effective_ms')}, xid, received_at, device_seq
    from sync_ops where clinic_id = $1 and status = 'applied' and kind ~ '^(order|drawer)[.]') r),
  'orders', ${rows('orders', 'id, number, status, total_minor, reduction_minor, paid_minor, balance_minor, discount_minor, agreed_discount_minor, created_by, added_notes', 'id')},
  'lines', ${rows('order_lines', 'id, order_id, position, op_id, stock_id, product_id, quantity_milli, unit_price_minor, earned_minor, usage_at, replaces, removed', 'order_id, position')},
  'payments', ${rows('payments', 'id, order_id, position, op_id, method, amount_minor, tendered_minor, change_minor, credit_note_number, credit_note, reduction_minor, still_owed, refunded_lines, actor_id', 'order_id, position')},
  'cancels', ${rows('order_cancels', 'op_id, order_id, annulled', 'op_id')},
  'changes', ${rows('order_changes', 'op_id, order_id', 'op_id')},
  'invoices', ${rows('invoices', 'id, order_id, op_id, number, document', 'id')},
  'ledger', ${rows('stock_transactions', `id, stock_id, type, is_count, quantity_milli, effect_milli, op_id, line_id, ${ms('effective_at', 'effective_ms')}`, 'id')},
  'items', ${rows('stock_items', 'id, quantity_milli, reserved_milli, deleted_at', 'id')},
  'products', ${rows('products', 'id, deleted_at', 'id')},
  'codes', ${rows('device_codes', 'code, device_id, treatment, invoice, credit_note, full_invoice, full_credit_note, retired_at', 'code')},
  'records', ${rows('fiscal_records', 'id, chain, device_id, sequence, hash, seal, record', 'chain, device_id, sequence, id')},
  'sendings', ${rows('fiscal_sendings', 'record_id, state, held_for, attempts, code', 'record_id')},
  'drawers', ${rows('drawers', `id, device_id, float_minor, opened_by, ${ms('opened_at', 'opened_ms')}, closed_by, ${ms('closed_at', 'closed_ms')}, counted`, 'id')},
  'movements', ${rows('drawer_movements', `op_id, drawer_id, amount_minor, actor_id, ${ms('effective_at', 'effective_ms')}`, 'op_id')},
  'voids', (select coalesce(json_agg(r order by id), '[]') from audit_log r where clinic_id = $1 and action = 'operation.voided'),
  'attention', ${rows('attention_items', 'id, kind, op_id, op_kind, order_id, settled_at, details', 'id')},
  'patients', ${rows('patients', 'id, name, phone, email, notes, recipient, erased_at', 'id')},
  'erasures', ${rows('patient_erasures', 'patient_id', 'patient_id')}) as evidence`;

export async function readServerState({ cluster, id }: Clinic): Promise<ServerState> {
  const [found] = await cluster.query<{ evidence: ServerState }>(everything, [id]);
  return found!.evidence;
}

export async function readTabletState(tablet: SimulatedTablet): Promise<TabletState> {
  const db = tablet.faultFreeDb();
  const [operations, states, orders, catalogue, patients, patientDetails, documents, outages, device, sync] =
    await Promise.all([
      db.operations.toArray(),
      db.operation_states.toArray(),
      db.orders.toArray(),
      db.catalogue.toArray(),
      db.patients.toArray(),
      db.patient_details.toArray(),
      db.documents.toArray(),
      db.outages.toArray(),
      db.device.get('this'),
      db.sync.get('this'),
    ]);
  return {
    tablet,
    operations: new Map(operations.map((operation) => [operation.op_id, operation])),
    states: new Map(states.map((state) => [state.op_id, state])),
    orders: new Map(orders.map((order) => [order.id, order])),
    replayed: new Set(states.filter(isOutstanding).map(({ aggregate }) => aggregate.replace('order:', ''))),
    catalogue,
    patients,
    patientDetails,
    documents,
    outages,
    device,
    link: sync?.link,
  };
}

/** Returns true for an operation that is unsent, or whose receipt has not arrived in the feed. */
export const isOutstanding = ({ status }: OperationState): boolean => status !== 'settled' && status !== 'attention';

/** A run that has settled, as the checkers need it. */
export interface SettledRun {
  clinic: Clinic;
  clientLog: ClientLog;
  tablets: readonly SimulatedTablet[];
  scheduler: Scheduler;
  wasRestored: boolean;
  /** The id of the person who uploaded an operation from a rescue file before its own tablet did, by operation. */
  rescued: ReadonlyMap<string, number>;
}

/** Everything that a checker may compare. */
export interface FinalState {
  server: ServerState;
  tablets: TabletState[];
  /** Every operation that became durable, with the tablet that wrote it. */
  durable: { operation: AnyOperation; origin: TabletState }[];
  receipts: Map<string, ReceiptRow>;
  /** The operations that the server applied. */
  applied: AnyOperation[];
}

export function buildFinalState(server: ServerState, tablets: TabletState[]): FinalState {
  const receipts = new Map(server.receipts.map((receipt) => [receipt.op_id, receipt]));
  const durable = tablets.flatMap((origin) => origin.tablet.durable.map((operation) => ({ operation, origin })));
  const applied = durable
    .filter(({ operation }) => receipts.get(operation.op_id)?.status === 'applied')
    .map(({ operation }) => operation);
  return { server, tablets, durable, receipts, applied };
}

/** Returns the receipt of what an operation was replaced by in the end, or its own. */
export function lastReceipt(receipts: FinalState['receipts'], opId: string): ReceiptRow | undefined {
  let last = receipts.get(opId);
  while (last?.superseded_by) last = receipts.get(last.superseded_by);
  return last;
}

export function groupBy<T>(items: readonly T[], key: (item: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const item of items) {
    const group = groups.get(key(item));
    if (group) group.push(item);
    else groups.set(key(item), [item]);
  }
  return groups;
}

/** Converts wire decimals to integers: hundredths of money, thousandths of quantities. */
export const cents = (amount: number): number => Math.round(amount * 100);
export const thousandths = (quantity: number): number => Math.round(quantity * 1000);
