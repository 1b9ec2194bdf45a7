/**
 * Checks that a reply comes from the API. The checks only exclude replies of captive portals and broken proxies; beyond that,
 * server and app share the same types.
 */
import type { ErrorCode } from '#domain/protocol/errors.ts';
import type { BatchReply, ChangesPage, DeviceReply, PatientsPage } from '#domain/protocol/sync.ts';

export const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const isInstant = (value: unknown): boolean => typeof value === 'string' && !Number.isNaN(Date.parse(value));

/** Returns the `data` of a successful reply with epoch and server time, which every reply to the engine has. */
function dataOf(json: unknown): Record<string, unknown> | null {
  if (!isRecord(json) || json.success !== true || !isRecord(json.data)) return null;
  return typeof json.data.epoch === 'string' && isInstant(json.data.server_time) ? json.data : null;
}

const outcomes: readonly unknown[] = ['applied', 'refused', 'waiting'];

/** Returns the data of a batch's reply if its results are for exactly the sent operations. A feed in another form is left out. */
export function readBatch(json: unknown, sent: readonly string[]): BatchReply['data'] | null {
  const data = dataOf(json);
  if (!data || !Array.isArray(data.results) || data.results.length !== sent.length) return null;
  const open = new Set(sent);
  const echoed = data.results.every(
    (result) =>
      isRecord(result) &&
      open.delete(String(result.op_id)) &&
      outcomes.includes(result.status) &&
      isRecord(result.reply),
  );
  if (!echoed) return null;
  const { feed, ...rest } = data;
  return (isPage(feed) ? { ...rest, feed } : rest) as unknown as BatchReply['data'];
}

export function readPage(json: unknown): ChangesPage | null {
  const data = dataOf(json);
  return isPage(data) ? data : null;
}

function isPage(data: unknown): data is ChangesPage & Record<string, unknown> {
  if (!isRecord(data) || typeof data.cursor !== 'string' || typeof data.more !== 'boolean') return false;
  return isRecord(data.rows) && isRecord(data.tombstones) && Array.isArray(data.receipts);
}

export function readPatients(json: unknown): PatientsPage | null {
  const data = dataOf(json);
  const isPatients = data && Array.isArray(data.patients) && typeof data.more === 'boolean';
  return isPatients ? (data as unknown as PatientsPage) : null;
}

export function readDevice(json: unknown): DeviceReply | null {
  const data = dataOf(json);
  return data && typeof data.code === 'string' && isRecord(data.counters) ? (data as unknown as DeviceReply) : null;
}

export interface ErrorReply {
  code: ErrorCode;
  message: string;
}

export function readError(json: unknown): ErrorReply | null {
  if (!isRecord(json) || json.success !== false || typeof json.code !== 'string') return null;
  return { code: json.code as ErrorCode, message: typeof json.message === 'string' ? json.message : '' };
}
