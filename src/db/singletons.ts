/** The tables that hold one row, with their values before the first write. */
import type { ClinicDatabase, DeviceRow, SyncRow } from './database.ts';
import { highestCounters } from '#domain/order/numbers.ts';
import type { DeviceReply, DeviceRequest } from '#domain/protocol/sync.ts';
import { defaultSettings } from '#domain/settings/settings.ts';
import type { ClinicSettings } from '#domain/settings/settings.ts';

export const neverSynced: SyncRow = {
  id: 'this',
  epoch: null,
  cursor: null,
  lacks: [],
  clock_offset_ms: null,
  last_contact_at: null,
  link: 'offline',
  update_needed: false,
  first_sync_rows: null,
  patients_after: null,
  unsent_records: 0,
  lock_asked_at: null,
};

export async function syncRow(db: ClinicDatabase): Promise<SyncRow> {
  return (await db.sync.get('this')) ?? neverSynced;
}

/** Writes only if a value changes, so that live queries don't run again without need. */
export async function updateSync(db: ClinicDatabase, changes: Partial<SyncRow>): Promise<void> {
  await db.transaction('rw', db.sync, async () => {
    const row = await syncRow(db);
    const keys = Object.keys(changes) as (keyof SyncRow)[];
    if (keys.some((key) => row[key] !== changes[key])) await db.sync.put({ ...row, ...changes });
  });
}

export async function clinicSettings(db: ClinicDatabase): Promise<ClinicSettings> {
  // Settings that are newer than the server have their defaults.
  return { ...defaultSettings, ...(await db.settings.get('this'))?.settings };
}

/**
 * Stores the server's reply about this device (SYNC-12). Counters never decrease while the device keeps its code; a new code
 * starts with the server's counters and a chain of its own. Sequence numbers of operations never repeat.
 */
export async function saveDevice(db: ClinicDatabase, reply: DeviceReply): Promise<void> {
  await db.transaction('rw', db.device, async () => {
    const known = await db.device.get('this');
    const same = known?.device_id === reply.device_id ? known : undefined;
    const key = reply.device_key ?? same?.device_key;
    if (key === undefined) return;
    await db.device.put({
      id: 'this',
      device_id: reply.device_id,
      device_key: key,
      code: reply.code,
      // A server of before has granted its codes for the clinic only.
      tax_id: reply.tax_id ?? null,
      counters: same?.code === reply.code ? highestCounters(same.counters, reply.counters) : reply.counters,
      chain: same?.code === reply.code ? (same.chain ?? null) : null,
      next_seq: Math.max(known?.next_seq ?? 1, reply.last_seq + 1),
    });
  });
}

/** Returns the request by which an enrolled device identifies itself. */
export const deviceRequest = ({ device_id, device_key, code, counters }: DeviceRow): DeviceRequest => ({
  device_id,
  device_key,
  code,
  counters,
});
