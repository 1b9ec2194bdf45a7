/**
 * The tablet's database. One transaction (`write.ts`) writes a change and the operation that carries it to the server, so
 * neither exists without the other.
 *
 * While operations wait, a row has two versions: `orders` and `catalogue` hold the shown row (the server's row with the
 * waiting operations replayed over it), and `order_bases` or `base_quantity_milli` holds the server's.
 */
import { dayMs } from '#domain/durations.ts';
import { Dexie } from 'dexie';
import type { EntityTable, Table } from 'dexie';
import { emailOf } from '#domain/email.ts';
import type { DrawerRowResource } from '#domain/drawer/resource.ts';
import type { ChainHead } from '#domain/fiscal/record.ts';
import type { InvoicePayload, Order } from '#domain/order/order.ts';
import type { PatientDetailsResource, PatientResource } from '#domain/patient/resources.ts';
import type { OrderStatus } from '#domain/order/vocabulary.ts';
import type { NumberCounters } from '#domain/order/numbers.ts';
import type { AnyOperation } from '#domain/protocol/operations.ts';
import type { PrintedRow } from '#domain/printed-row.ts';
import type { AttentionResource, FeedPart } from '#domain/protocol/sync.ts';
import type { ErrorCode } from '#domain/protocol/errors.ts';
import type { ClinicSettings } from '#domain/settings/settings.ts';
import type { RoomRowResource } from '#domain/room/resources.ts';
import type { CategoryResource } from '#domain/stock/resources.ts';
import type { StockState } from '#domain/stock/ledger.ts';
import type { TaxCode } from '#domain/tax/codes.ts';
import type { UserClaims } from '#domain/staff/roles.ts';

/**
 * The life of a queued operation (SYNC-1):
 *
 *     pending ──▶ sending ──▶ accepted ──▶ settled
 *        ▲           │ ╲
 *        │           ▼  ╲────▶ attention   (refused: a person decides)
 *        └──────── retry
 *
 * `accepted`: the server has applied the operation, but the feed has not delivered the receipt, so the operation is still
 * replayed. `settled`: the feed has delivered the receipt and the rows contain the effect, or a replacement or a void has
 * taken the operation's place.
 */
export type OperationStatus = 'pending' | 'sending' | 'retry' | 'accepted' | 'attention' | 'settled';

/** The mutable state of an operation with one of the statuses. `operation-state.ts` holds the rules of its fields. */
export type OperationState<S extends OperationStatus = OperationStatus> = S extends OperationStatus
  ? OperationFields & { status: S }
  : never;

interface OperationFields {
  op_id: string;
  device_seq: number;
  aggregate: string;
  /** Orders sending and replaying: the operation's `device_seq`, or the position of the operation it replaces. */
  position: number;
  /** The position while the operation is unsent, otherwise absent: the index contains only the outbox. */
  queue_place?: number;
  /** The operation that replaced this one after a refusal (SYNC-7). */
  superseded_by: string | null;
  /** When a manager voided it, on any device; otherwise absent: the index contains only voided operations. */
  voided_at?: number;
  attempts: number;
  /** The earliest time of the next attempt (milliseconds). */
  next_at: number;
  /** The last error: a refusal's code, or `NETWORK` for a transport failure. */
  last_error: { code: ErrorCode | 'NETWORK'; message: string; details?: Record<string, string | number> } | null;
  /** When the current status was set (milliseconds). */
  changed_at: number;
}

export interface OrderRow extends Order {
  status: OrderStatus;
  totalMinor: number;
  reductionMinor: number;
  owedMinor: number;
  paidMinor: number;
  balanceMinor: number;
  /** 1 while operations are replayed over the server's row, else 0. */
  unsent: 0 | 1;
  /** When the latest payment or cancel took effect; otherwise when the treatment was created. */
  updatedAtMs: number;
}

/** The server's row of a treatment with waiting operations; `order` is null when the server does not have the treatment. */
export interface OrderBase {
  id: string;
  order: Order | null;
}

/** A sellable item: a stock item (key `s12`) or a product (key `p3`). */
export interface CatalogueItem {
  key: string;
  type: 'stock' | 'product';
  id: number;
  name: string;
  search_key: string;
  /** The beginnings of the name's words (`wordStarts`); none while the item is not available, so that no search finds it. */
  word_starts: string[];
  category_id: number;
  price_minor: number;
  unit: string;
  image_url: string | null;
  barcode: string;
  available: 0 | 1;
  /** False for goods: their lines never wait on the board. */
  needs_preparation: boolean;
  /** Absent for what has the default code. */
  tax?: TaxCode;
  /** Set by the clinic, otherwise absent: the index contains only these. */
  favourite?: 1;
  /** Set for a stock item that is stocked, otherwise absent: the index contains only these. */
  stocked?: 1;
  /** Stocked items only, in thousandths: the server's quantity, and the quantity with this device's waiting adjustments. */
  base_quantity_milli: number | null;
  quantity_milli: number | null;
  low_stock_threshold_milli: number | null;
  /** Set by `withQuantity` for a stock item that is low or out, otherwise absent: the index contains only these. */
  shortage?: Exclude<StockState, 'in_stock'>;
}

/**
 * A printed document: an invoice, the unnumbered receipt of a partial payment, a refund's credit note, or a drawer's report.
 * Documents are immutable, except that a drawer's newer report replaces the older one.
 */
export interface DocumentRow {
  /** The id of the invoice, payment, refund or drawer. */
  id: string;
  kind: 'invoice' | 'receipt' | 'credit_note' | 'report';
  order_id: string;
  number: string | null;
  issued_at: string;
  printed: PrintedRow[];
  invoice: InvoicePayload | null;
  /** The number of prints on this device; every print after the first is marked as a copy. */
  prints: number;
}

/** The enrolled device. One row; counters and chain advance in the transaction of the sale that uses them. */
export interface DeviceRow {
  id: 'this';
  device_id: number;
  device_key: string;
  code: string;
  /** The taxpayer for whom the code is granted; null or absent for a code of the clinic only. */
  tax_id?: string | null;
  counters: NumberCounters;
  /** The last fiscal record under this code; null or absent before the first. */
  chain?: ChainHead | null;
  next_seq: number;
}

/** The state of synchronisation. One row. */
export interface SyncRow {
  id: 'this';
  epoch: string | null;
  cursor: string | null;
  /** The tables that were emptied since the cursor, because the next person may not read them. */
  lacks: FeedPart[];
  clock_offset_ms: number | null;
  /** When the server last answered (milliseconds). */
  last_contact_at: number | null;
  /** `paused` requires a sign-in. */
  link: 'online' | 'offline' | 'paused';
  /** True when the server reported that this app is too old for a queued operation. */
  update_needed: boolean;
  /** The rows received by a running first sync, otherwise null. */
  first_sync_rows: number | null;
  /** While the first patients are read page by page: the last one that has arrived, '' before the first. Otherwise null. */
  patients_after: string | null;
  /** The clinic's fiscal records that were on the server, and not at the tax agency, at the last pull. */
  unsent_records: number;
  /** When a manager last asked this device to lock, as of the last pull. */
  lock_asked_at: string | null;
}

/** A time in which the server did not answer this device. Only the latest outages are kept. */
export interface OutageRow {
  /** Milliseconds. */
  started_at: number;
  /** Milliseconds; null while the outage lasts. */
  ended_at: number | null;
  /** The number of payments that waited for the end of the outage, and their sum. */
  sales: number;
  amount_minor: number;
}

/**
 * The session for the worker, which cannot read the cookie. One row, absent while nobody is signed in online. It stays
 * while the app is locked, because uploads go on.
 */
export interface SessionRow {
  id: 'this';
  /** Only syncs: it neither reads the back office nor acts. Absent if the server did not answer about the device. */
  token?: string | undefined;
  /** The token's expiry in seconds since 1970. */
  exp: number;
  user: UserClaims;
}

/** A value that only the holder of a key can read (`src/session/sealed.ts`). */
export interface Sealed {
  iv: Uint8Array<ArrayBuffer>;
  data: ArrayBuffer;
}

/** A value for one person. Insecure origins can't seal it. */
export type Personal = Sealed | { clear: unknown };

/** A data key, wrapped by a key from a password or PIN (`src/auth/vault.ts`), and the failed attempts since the last success. */
export interface Wrapped {
  salt: Uint8Array<ArrayBuffer>;
  rounds: number;
  key: ArrayBuffer;
  failures: number;
  locked_until: number;
}

export interface WrappedByPin extends Wrapped {
  digits: number;
}

/** A data key, wrapped by a secret that an authenticator derives from a salt for one credential (`src/auth/passkey.ts`). */
export interface WrappedByPasskey {
  id: Uint8Array<ArrayBuffer>;
  salt: Uint8Array<ArrayBuffer>;
  key: ArrayBuffer;
}

/** Returns the key of a verifier: the e-mail of its person. */
export const emailKey = emailOf;

/** How long somebody who signed in online may sign in here without the server. Then their verifier is deleted. */
export const offlineMs = 7 * dayMs;

/** Lets a user who recently signed in online on this device sign in or unlock without the network. */
export interface VerifierRow {
  email: string;
  user: UserClaims;
  last_online_at: number;
  password: Wrapped;
  /** Replaces the password at the lock of this device only. */
  pin?: WrappedByPin | undefined;
  /** Opens the vault on this device as the password does, also after a sign-out. */
  passkey?: WrappedByPasskey | undefined;
  /** The actor key, sealed by the data key. */
  actor: Sealed;
  /** The latest session token on this device, sealed by the data key; absent after a sign-out. It may have expired. */
  token?: Sealed | undefined;
  /** The token of the same session that only syncs, so that another person's sign-in is not needed for uploads. */
  sync?: { token: string; exp: number } | undefined;
}

/** What the counter shows first (`best-sellers.ts`). One row. */
export interface BestSellersRow {
  id: 'this';
  /** The business day on which the counts were last renewed. */
  day: string;
  /** Treatments created up to this time are counted (milliseconds). */
  counted_until: number;
  /** The weight of each catalogue key, the greatest first. */
  weights: [key: string, weight: number][];
}

export interface SettingsRow {
  id: 'this';
  settings: ClinicSettings;
}

/** The last reply to a back-office query, and when it was received (milliseconds). */
export interface CachedQuery {
  key: string;
  value: Personal;
  seen_at: number;
}

/** An unsent form. It survives a reload, a lost connection and an expired session. */
export interface DraftRow {
  /** Names the form, its subject and its user. */
  key: string;
  value: Personal;
}

/** A patient with the keys of the search index. */
export interface PatientRow extends PatientResource {
  keys: string[];
  /** 1 when the patient was created or changed here and the feed has not delivered the row; otherwise absent. */
  unsent?: 1;
  /** The server's row while updates of the patient wait; null when the server has none. Absent when none waits. */
  base?: PatientResource | null;
}

/** What only those read who take money, in a table of its own: it goes when somebody else takes over. */
export interface PatientDetailsRow extends PatientDetailsResource {
  keys: string[];
  /** The server's row while updates of the patient wait; null when the server has none. Absent when none waits. */
  base?: PatientDetailsResource | null;
}

export class ClinicDatabase extends Dexie {
  declare operations: Table<AnyOperation, string>;
  declare operation_states: EntityTable<OperationState, 'op_id'>;
  declare orders: EntityTable<OrderRow, 'id'>;
  declare order_bases: EntityTable<OrderBase, 'id'>;
  declare catalogue: EntityTable<CatalogueItem, 'key'>;
  declare best_sellers: EntityTable<BestSellersRow, 'id'>;
  declare categories: EntityTable<CategoryResource, 'id'>;
  declare rooms: EntityTable<RoomRowResource, 'id'>;
  declare attention: EntityTable<AttentionResource, 'id'>;
  /** The server's rows; queries replay waiting operations over them. */
  declare drawers: EntityTable<DrawerRowResource, 'id'>;
  declare patients: EntityTable<PatientRow, 'id'>;
  declare patient_details: EntityTable<PatientDetailsRow, 'id'>;
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
        'key, barcode, *word_starts, [available+search_key], [available+category_id+search_key], [favourite+search_key], [stocked+search_key], [shortage+search_key]',
      best_sellers: 'id',
      categories: 'id, name',
      rooms: 'id',
      attention: 'id',
      drawers: 'id',
      patients: 'id, *keys',
      patient_details: 'id, *keys',
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
