/**
 * The requests and replies of the sync API. Every reply carries the clinic's `epoch`, which a restore or a failover
 * renews (SYNC-16).
 */
import type { BoundedKind, SendingConcern } from '../attention.ts';
import type { DrawerRowResource } from '../drawer/resource.ts';
import type { Order } from '../order/order.ts';
import type { NumberCounters } from '../order/numbers.ts';
import type { OrderFlag } from '../order/flags.ts';
import type { PatientDetailsResource, PatientResource } from '../patient/resources.ts';
import type { ClinicSettings } from '../settings/settings.ts';
import type { RoomRowResource } from '../room/resources.ts';
import type { Role } from '../staff/roles.ts';
import type { CategoryResource, ProductResource, StockResource } from '../stock/resources.ts';
import type { ErrorCode } from './errors.ts';
import type { AnyOperation } from './operations.ts';

/** The limits of a batch in operations and in bytes of JSON (SYNC-3). */
export const maxBatchOperations = 200;
export const maxBatchBytes = 256 * 1024;

export const epochHeader = 'x-clinic-epoch';
export const idempotencyHeader = 'idempotency-key';
export const replayedHeader = 'idempotency-replayed';

/**
 * The result of one operation. `applied` and `refused` are final and stored. After `waiting`, the device sends the
 * operation again later. `reply` is the reply of the corresponding REST call, byte for byte as stored.
 */
export interface OperationResult {
  op_id: string;
  status: 'applied' | 'refused' | 'waiting';
  replayed: boolean;
  reply: { success: true; data: unknown } | { success: false; code: ErrorCode; message: string; details?: unknown };
}

/**
 * `feed` holds the changes since the request's cursor, read after the batch was applied. It is absent when the request
 * has no cursor, and when the changes do not fit one page.
 */
export interface BatchReply {
  success: true;
  data: { epoch: string; server_time: string; results: OperationResult[]; feed?: ChangesPage };
}

/** The stored result of an operation, as the feed delivers it to the operation's device. */
export interface ReceiptResource {
  op_id: string;
  device_seq: number;
  status: 'applied' | 'refused';
  code: ErrorCode | null;
  message: string | null;
  details: Record<string, string | number> | null;
  /** The replacement or void of a refused operation, made on any device (SYNC-7). */
  superseded_by: string | null;
  /**
   * The operation without the text about an erased patient, signed anew. It takes the place of the settled operation on
   * the device. Null for others.
   */
  operation: AnyOperation | null;
}

/** An attention item: something that a manager must look at, on any device (SYNC-4, SYNC-11, SYNC-12). */
export interface AttentionResource {
  id: number;
  kind:
    | 'refused'
    | 'refused_more'
    | 'late_work'
    | 'retention_ends'
    | 'duplicate_number'
    | 'discount_over_limit'
    | BoundedKind
    | OrderFlag
    | SendingConcern;
  op_id: string | null;
  /** The operation's kind; null when the server could not read it. */
  op_kind: string | null;
  order_id: string | null;
  /**
   * The values of its message. Of `refused`, `unproven` and `late_work`: `code`, `aggregate`, `occurred_at`, `actor`
   * (a name), `device` (a code), and `number` and `amount` if the payload has them. `unproven` also has `uploader` (a
   * name). `refused_more` has `actor_id`, `actor`, `device` and `count`, and of money among them `payments`, `paid`,
   * `refunds` and `refunded`. `discount_over_limit` has these too, and `discount`, `limit` (a percentage), `currency`. Odd facts have these
   * too, and what is odd: `name`, `stated`, `expected`, `change`, `currency`, `sequence`, `days`, `lot`, `day`. Of the others:
   * `number`, `paid`, `surplus`, `currency`, `document`, and about the tax agency `number`, `reason`, `count`, `holder`, `day`.
   */
  details: Record<string, string | number>;
  created_at: string;
  settled_at: string | null;
}

/**
 * The tables of the feed of which not everybody gets all (`column-permissions.ts`), and whose rest comes without starting
 * over.
 */
export const feedParts = ['attention', 'drawers', 'stock', 'patient_details', 'orders'] as const;
/** Those that a device deletes when somebody comes who may not read them. */
export const deletedParts = ['attention', 'drawers', 'stock', 'patient_details'] as const satisfies readonly FeedPart[];
export type FeedPart = (typeof feedParts)[number];

/**
 * `GET /api/sync/changes?cursor=&waiting=&lacks=`. `waiting` is the number of operations that the device has not sent;
 * with a batch, those that it has not sent and that are not in the batch.
 * `lacks` names the feed parts that the device has deleted since the cursor, separated by commas. A cursor remembers
 * of which parts its reader did not get all, and the feed returns them to the next reader who may.
 * `later=patients` leaves out, from a feed that starts from the beginning, the patients that the server has then;
 * `PatientsPage` brings them. The feed still brings patients that are new or change afterwards.
 * Without a cursor the feed starts from the beginning: catalogue, rooms, patients, settings, the drawers of the last
 * 30 days, and open or recent treatments. While `more` is true further pages follow; a reader applies all pages at
 * once (SYNC-9).
 */
export interface ChangesPage {
  epoch: string;
  cursor: string;
  more: boolean;
  server_time: string;
  rows: {
    orders: Order[];
    stock: StockResource[];
    products: ProductResource[];
    categories: CategoryResource[];
    attention: AttentionResource[];
    drawers: DrawerRowResource[];
    patients: PatientResource[];
    patient_details: PatientDetailsResource[];
    rooms: RoomRowResource[];
    settings: ClinicSettings | null;
  };
  tombstones: { stock: number[]; products: number[]; categories: number[]; rooms: number[] };
  receipts: ReceiptResource[];
  /**
   * The last number of each series that the server has seen (SYNC-12), by each code ever granted to this device.
   * Copies of a cloned storage share one device and have different codes.
   */
  counters: Record<string, NumberCounters> | null;
  /** The clinic's fiscal records that are on the server and not at the tax agency; absent of none. */
  unsent_records?: number;
  /** When a manager last asked this device to lock. It locks once for each such time; absent if nobody has asked. */
  lock_asked_at?: string;
  /** True when this page has left out the patients, to be read page by page. */
  patients_follow?: boolean;
}

/** `GET /api/sync/patients?after=`: patients in the order of their ids. */
export interface PatientsPage {
  epoch: string;
  server_time: string;
  patients: PatientResource[];
  /** Those of these patients; absent for who may not read them. */
  details?: PatientDetailsResource[];
  /** True when patients with higher ids follow. */
  more: boolean;
}

/**
 * `POST /api/devices`, part of every online sign-in. Without `device_id` and `device_key` it enrols a new device; with
 * them it binds the session to the known device, also to one that a restored server has forgotten: the key proves which clinic
 * granted the id. A device whose counters are behind the server's gets a new code.
 */
export interface DeviceRequest {
  device_id?: number | undefined;
  device_key?: string | undefined;
  name?: string | undefined;
  /** The device's code and its number counters. */
  code?: string | undefined;
  counters?: NumberCounters | undefined;
}

/** What an authenticator answers to a challenge, each part in base64url. */
export interface PasskeyAssertion {
  credential_id: string;
  /** JSON, as the browser wrote it. */
  client_data: string;
  authenticator_data: string;
  signature: string;
}

export interface DeviceReply {
  device_id: number;
  /** The device's key, present only in the reply that enrols the device. The server stores only a hash. */
  device_key?: string | undefined;
  code: string;
  /** The taxpayer among all of whose clinics the code is unique; null for a code that is unique in the clinic only. */
  tax_id: string | null;
  counters: NumberCounters;
  /** The highest `device_seq` that the server has received from this device. */
  last_seq: number;
  /**
   * The key by which the session's user proves operations on this device: 32 bytes in base64url. Absent, with the number
   * of the session to which it belongs, for a token that may only sync.
   */
  actor_key?: string | undefined;
  session_id?: number | undefined;
  /** A token of the same session that may only sync. Absent for such a token. */
  sync_token?: string | undefined;
  /** A token of the same session that reaches everything until the app locks. Only for the token of the sign-in. */
  page_token?: string | undefined;
  epoch: string;
  server_time: string;
}

/** `GET /api/devices` */
export interface DeviceResource {
  id: number;
  name: string;
  code: string;
  created_at: string;
  last_seen_at: string | null;
  /** The number of unsent operations at the device's last report. */
  waiting: number;
  /** The browser and its machine at the last sign-in, such as `Safari · iPad`; empty if unknown. */
  browser: string;
  /** The last payment that it took in the last 30 days. */
  last_sale_at: string | null;
  /** When a manager last asked it to lock. */
  lock_asked_at: string | null;
  /** Null unless the device was revoked. Nothing takes that back. */
  revoked: { at: string; by: string; reason: string } | null;
}

/** `GET /api/sessions`: one session that has not ended. */
export interface SessionResource {
  id: number;
  user: { id: number; name: string; role: Role };
  /** Null until the device has enrolled. */
  device: { id: number; code: string; name: string } | null;
  created_at: string;
  last_seen_at: string;
  /** The session of this request. */
  current: boolean;
}
