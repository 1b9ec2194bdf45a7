/** What the sync calls exchange. Every reply carries the clinic’s `epoch`, which a restore from backup and a failover renew (SYNC-16). */
import type { DrawerRowResource } from '../drawer/resource.ts';
import type { OrderResource } from '../order/resource.ts';
import type { NumberCounters } from '../order/numbers.ts';
import type { OrderFlag } from '../order/flags.ts';
import type { PatientResource } from '../patient/resources.ts';
import type { ClinicSettings } from '../settings/settings.ts';
import type { RoomRowResource } from '../room/resources.ts';
import type { CategoryResource, ProductResource, StockResource } from '../stock/resources.ts';
import type { ErrorCode } from './errors.ts';
import type { AnyOperation } from './operations.ts';

/** SYNC-3: a batch is at most this many operations and this many bytes of JSON. */
export const maxBatchOperations = 200;
export const maxBatchBytes = 256 * 1024;

export const epochHeader = 'x-clinic-epoch';
export const idempotencyHeader = 'idempotency-key';
export const replayedHeader = 'idempotency-replayed';

/** `POST /api/sync/batch` */
export interface BatchRequest {
  operations: AnyOperation[];
}

/**
 * One operation's outcome. `applied` and `refused` are final and stored; `waiting` is neither, and the device sends the
 * operation again later. `reply` is the stored answer: what the REST call of this kind would have said.
 */
export interface OperationResult {
  op_id: string;
  status: 'applied' | 'refused' | 'waiting';
  replayed: boolean;
  reply: { success: true; data: unknown } | { success: false; code: ErrorCode; message: string; details?: unknown };
}

export interface BatchReply {
  success: true;
  data: { epoch: string; server_time: string; results: OperationResult[] };
}

/** A stored outcome as the feed brings it home to the device that queued the operation. */
export interface ReceiptResource {
  op_id: string;
  device_seq: number;
  status: 'applied' | 'refused';
  code: ErrorCode | null;
  message: string | null;
  details: Record<string, string | number> | null;
  /** The operation that has taken the place of a refused one, wherever it was made: a replacement or a void (SYNC-7). */
  superseded_by: string | null;
}

/** Something that a person must look at; managers see it from any device (SYNC-4, SYNC-11, SYNC-12). */
export interface AttentionResource {
  id: number;
  kind: 'refused' | 'late_work' | 'duplicate_number' | 'discount_over_limit' | OrderFlag;
  op_id: string | null;
  /** What it was, where the server could read that. */
  op_kind: string | null;
  order_id: string | null;
  /**
   * What its sentence needs. Of `refused` and `late_work`: `code`, `aggregate`, `occurred_at`, `actor` (a name), `device` (a
   * code), and where the payload says so `number` and `amount`. `discount_over_limit` says these too, and `discount`, `limit` (a
   * percentage), `currency`. Of the others: `number`, `paid`, `surplus`, `currency`, `paper`.
   */
  details: Record<string, string | number>;
  created_at: string;
  settled_at: string | null;
}

/**
 * `GET /api/sync/changes?cursor=&waiting=`. `waiting` says how many operations the device has not sent. Without a cursor the
 * feed starts over: catalogue, rooms, patients, settings, the drawers of the last 30 days, and the treatments that are open or
 * recent. `more` says that further pages follow; a reader applies all pages at once (SYNC-9).
 */
export interface ChangesPage {
  epoch: string;
  cursor: string;
  more: boolean;
  server_time: string;
  rows: {
    orders: OrderResource[];
    stock: StockResource[];
    products: ProductResource[];
    categories: CategoryResource[];
    attention: AttentionResource[];
    drawers: DrawerRowResource[];
    patients: PatientResource[];
    rooms: RoomRowResource[];
    settings: ClinicSettings | null;
  };
  tombstones: { stock: number[]; products: number[]; categories: number[]; rooms: number[] };
  receipts: ReceiptResource[];
  /**
   * By code that this device was ever granted: how many numbers of each series the server has seen under it (SYNC-12). All
   * of them, because the copies of a cloned storage go by one device and by different codes.
   */
  counters: Record<string, NumberCounters> | null;
}

/**
 * `POST /api/devices`, part of every online sign-in. Without `device_id` and `device_key` a new device is enrolled; with
 * them the session is bound to the known one. A device whose stored counters are behind the server's gets a new code.
 */
export interface DeviceRequest {
  device_id?: number | undefined;
  device_key?: string | undefined;
  name?: string | undefined;
  /** The code that the device numbers under, and how far it has counted. */
  code?: string | undefined;
  counters?: NumberCounters | undefined;
}

export interface DeviceReply {
  device_id: number;
  /** Only in the reply that enrols: the device keeps it, the server keeps its hash. */
  device_key?: string | undefined;
  code: string;
  counters: NumberCounters;
  /** The highest operation sequence that the server has seen from this device. */
  last_seq: number;
  epoch: string;
  server_time: string;
}

/** `GET /api/devices`: a tablet as managers see it. */
export interface DeviceResource {
  id: number;
  name: string;
  code: string;
  created_at: string;
  last_seen_at: string | null;
}
