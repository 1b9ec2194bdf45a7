/**
 * The tablet's own database. What a person did and the operation that will tell the server are written in one
 * transaction (`write.ts`), so neither exists without the other.
 *
 * Rows that the server also has exist twice while operations wait: `orders` and `catalogue` hold what the screens show
 * (the server's row with the waiting operations replayed over it), `order_bases` holds the server's row alone. A base is
 * kept only while operations of its aggregate wait.
 */
import { Dexie } from 'dexie';
import type { EntityTable, Table } from 'dexie';
import type { DrawerRowResource } from '../../domain/drawer/resource.ts';
import type { InvoicePayload, Order } from '../../domain/order/order.ts';
import type { PatientResource } from '../../domain/patient/resources.ts';
import type { OrderStatus } from '../../domain/order/vocabulary.ts';
import type { NumberCounters } from '../../domain/order/numbers.ts';
import type { AnyOperation } from '../../domain/protocol/operations.ts';
import type { PrintedRow } from '../../domain/printed-row.ts';
import type { AttentionResource } from '../../domain/protocol/sync.ts';
import type { ErrorCode } from '../../domain/protocol/errors.ts';
import type { ClinicSettings } from '../../domain/settings/settings.ts';
import type { RoomRowResource } from '../../domain/room/resources.ts';
import type { CategoryResource } from '../../domain/stock/resources.ts';
import type { StockState } from '../../domain/stock/ledger.ts';
import type { UserClaims } from '../../domain/staff/roles.ts';

/**
 * The life of a queued operation (SYNC-1):
 *
 *     pending ──▶ sending ──▶ accepted ──▶ settled
 *        ▲           │ ╲
 *        │           ▼  ╲────▶ attention   (refused: a person decides)
 *        └──────── retry
 *
 * `accepted`: the server said applied, but its receipt has not come home in the feed yet, so the operation is still
 * replayed. `settled`: the receipt is here and the rows include the effect, or another operation has taken its place: a
 * replacement, or a void.
 */
export type OperationStatus = 'pending' | 'sending' | 'retry' | 'accepted' | 'attention' | 'settled';

/** The mutable side of an operation. `operation-state.ts` holds the rules of its fields. */
export interface OperationState {
  op_id: string;
  device_seq: number;
  aggregate: string;
  /** Where it stands in the order of sending and replaying: its `device_seq`, or the place of the operation it replaces. */
  position: number;
  /** The same place while the server still has to hear of it; absent afterwards, so that its index holds the outbox alone. */
  queue_place?: number;
  /** The operation that replaced this one after a refusal (SYNC-7). */
  superseded_by: string | null;
  /** When a manager gave it up, here or elsewhere; absent otherwise, so that its index holds the voided ones alone. */
  voided_at?: number;
  status: OperationStatus;
  attempts: number;
  /** Not sent again before this time (milliseconds). */
  next_at: number;
  /** The last thing that went wrong: a refusal's code, or how the transport failed. */
  last_error: { code: ErrorCode | 'NETWORK'; message: string; details?: Record<string, string | number> } | null;
  /** When it reached its present status (milliseconds). */
  changed_at: number;
}

export interface OrderRow extends Order {
  status: OrderStatus;
  totalMinor: number;
  paidMinor: number;
  balanceMinor: number;
  /** Where the treatment is: 1 until the server's word on all of it has come home, else 0. */
  unsent: 0 | 1;
  /** When the latest payment or cancel took effect, or else the creation. */
  updatedAtMs: number;
}

/** The server's row under waiting operations; `order` is null when the server has not seen the treatment. */
export interface OrderBase {
  id: string;
  order: Order | null;
}

/** Something that can be sold: a stock item (`s12`) or a product (`p3`). */
export interface CatalogueItem {
  key: string;
  type: 'stock' | 'product';
  id: number;
  name: string;
  search_key: string;
  category_id: number;
  price_minor: number;
  unit: string;
  image_url: string | null;
  barcode: string;
  available: 0 | 1;
  /** Stock items only: what is there by the server's word, and with this device's waiting adjustments. Thousandths. */
  base_quantity_milli: number | null;
  quantity_milli: number | null;
  low_stock_threshold_milli: number | null;
  /** Of a stock item with too little on the shelf; absent otherwise, so that its index holds those alone. `withQuantity` keeps it. */
  shortage?: Exclude<StockState, 'in_stock'>;
}

/**
 * A printed paper: an invoice, the unnumbered receipt of a partial payment, a refund's credit note, or the report of a drawer.
 * It never changes, but for a report, which gives way to what it has become.
 */
export interface DocumentRow {
  /** The invoice's id, the payment's or refund's, or the drawer's. */
  id: string;
  kind: 'invoice' | 'receipt' | 'credit_note' | 'report';
  order_id: string;
  number: string | null;
  issued_at: string;
  printed: PrintedRow[];
  invoice: InvoicePayload | null;
  /** How often it was printed on this device: copies are marked. */
  prints: number;
}

/** Who this device is to the server. One row; counters advance in the transaction of the sale that uses them. */
export interface DeviceRow {
  id: 'this';
  device_id: number;
  device_key: string;
  code: string;
  counters: NumberCounters;
  next_seq: number;
}

/** Where synchronisation stands. One row. */
export interface SyncRow {
  id: 'this';
  epoch: string | null;
  cursor: string | null;
  clock_offset_ms: number | null;
  /** The last time the server answered (milliseconds). */
  last_contact_at: number | null;
  /** What the header pill shows; `paused` needs a sign-in. */
  link: 'online' | 'offline' | 'paused';
  /** True when the server said that this app is too old for something in the queue or the feed. */
  update_needed: boolean;
  /** The first sync's progress: rows received so far; null when none is under way. */
  first_sync_rows: number | null;
}

/** A time in which the server did not answer this device. The diary holds the latest ones. */
export interface OutageRow {
  /** Milliseconds, like the end. */
  started_at: number;
  /** Null while it lasts. */
  ended_at: number | null;
  /** How many payments were taken meanwhile and waited for its end, and how much money they came to. */
  sales: number;
  amount_minor: number;
}

/** The session as the worker needs it; it cannot read the cookie. One row, absent when nobody is signed in online. */
export interface SessionRow {
  id: 'this';
  token: string;
  /** Seconds since 1970, as in the token. */
  exp: number;
  user: UserClaims;
}

/** What a secret is judged by, and the attempts at it since it was last given rightly. */
export interface SecretCheck {
  salt: Uint8Array<ArrayBuffer>;
  hash: Uint8Array<ArrayBuffer>;
  iterations: number;
  failures: number;
  locked_until: number;
}

/** What somebody's verifier goes by, however the address is written. */
export const emailKey = (email: string): string => email.trim().toLowerCase();

/** Lets somebody who signed in online here lately sign in again, or unlock, without the network. The check is the password's. */
export interface VerifierRow extends SecretCheck {
  email: string;
  user: UserClaims;
  last_online_at: number;
  /** Their latest token on this device, for when they unlock after somebody else; it may have run out. */
  token?: string | undefined;
  pin?: PinCheck | undefined;
}

/** Stands in for the password at the lock of this device alone. */
export interface PinCheck extends SecretCheck {
  digits: number;
}

export interface SettingsRow {
  id: 'this';
  settings: ClinicSettings;
}

/** What the server last answered to a back-office page, and when (milliseconds). */
export interface CachedQuery {
  key: string;
  value: unknown;
  seen_at: number;
}

/** A form that was begun and not sent. It survives a reload, a lost connection and an expired session. */
export interface DraftRow {
  /** The form, what it is about, and whose it is. */
  key: string;
  value: unknown;
}

/** A patient, found by any of the keys. */
export interface PatientRow extends PatientResource {
  keys: string[];
  /** Met or corrected here, and not yet told by the server. */
  unsent?: 1;
}

export class ClinicDatabase extends Dexie {
  declare operations: Table<AnyOperation, string>;
  declare operation_states: EntityTable<OperationState, 'op_id'>;
  declare orders: EntityTable<OrderRow, 'id'>;
  declare order_bases: EntityTable<OrderBase, 'id'>;
  declare catalogue: EntityTable<CatalogueItem, 'key'>;
  declare categories: EntityTable<CategoryResource, 'id'>;
  declare rooms: EntityTable<RoomRowResource, 'id'>;
  declare attention: EntityTable<AttentionResource, 'id'>;
  /** Cash drawers as the server has them; what waits is replayed over them when they are read. */
  declare drawers: EntityTable<DrawerRowResource, 'id'>;
  declare patients: EntityTable<PatientRow, 'id'>;
  declare documents: EntityTable<DocumentRow, 'id'>;
  declare device: EntityTable<DeviceRow, 'id'>;
  declare sync: EntityTable<SyncRow, 'id'>;
  declare outages: EntityTable<OutageRow, 'started_at'>;
  declare session: EntityTable<SessionRow, 'id'>;
  declare verifiers: EntityTable<VerifierRow, 'email'>;
  declare settings: EntityTable<SettingsRow, 'id'>;
  declare query_cache: EntityTable<CachedQuery, 'key'>;
  declare drafts: EntityTable<DraftRow, 'key'>;

  constructor(name = 'dental-counter', options: ConstructorParameters<typeof Dexie>[1] = {}) {
    super(name, { chromeTransactionDurability: 'strict', ...options });
    this.version(1).stores({
      operations: 'op_id',
      operation_states: 'op_id, queue_place, [aggregate+position], [status+changed_at], voided_at',
      orders: 'id, number, [status+createdAtMs], [status+updatedAtMs], updatedAtMs, [patientId+createdAtMs]',
      order_bases: 'id',
      catalogue:
        'key, barcode, [available+search_key], [available+category_id+search_key], [type+search_key], [shortage+search_key]',
      categories: 'id, name',
      rooms: 'id',
      attention: 'id',
      drawers: 'id',
      patients: 'id, *keys',
      documents: 'id, order_id',
      device: 'id',
      sync: 'id',
      outages: 'started_at',
      session: 'id',
      verifiers: 'email',
      settings: 'id',
      query_cache: 'key, seen_at',
      drafts: 'key',
    });
  }
}
