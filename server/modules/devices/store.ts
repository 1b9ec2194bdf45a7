import { and, desc, eq, isNotNull, sql } from 'drizzle-orm';
import { deviceCode } from '../../../domain/order/numbers.ts';
import type { Executor } from '../../db/database.ts';
import { clinics, deviceCodes, devices } from '../../db/schema/clinics.ts';

export type DeviceRow = typeof devices.$inferSelect;
export type CodeRow = typeof deviceCodes.$inferSelect;

/** The next code of the clinic, which nobody had before: the clinic's row is locked until the transaction ends. */
export async function takeNextCode(tx: Executor, clinicId: number): Promise<string> {
  const [clinic] = await tx
    .update(clinics)
    .set({ nextDevice: sql`${clinics.nextDevice} + 1` })
    .where(eq(clinics.id, clinicId))
    .returning({ granted: clinics.nextDevice });
  return deviceCode(clinic!.granted - 1);
}

export async function insertDevice(
  tx: Executor,
  device: typeof devices.$inferInsert & { id?: number },
): Promise<DeviceRow> {
  // An id that comes along is kept; without one the next is granted.
  const [row] = await tx.insert(devices).overridingSystemValue().values(device).returning();
  return row!;
}

/** Whether ids went on beyond this one although no device of any clinic has it. */
export async function isGrantedToNobody(tx: Executor, id: number): Promise<boolean> {
  const { rows } = await tx.execute<{ isIt: boolean }>(sql`
    select ${id}::int between 1 and coalesce(pg_sequence_last_value(pg_get_serial_sequence('devices', 'id')), 0)
      and not exists (select from devices where id = ${id}::int) as "isIt"`);
  return rows[0]!.isIt;
}

export async function insertCode(
  tx: Executor,
  code: { clinicId: number; code: string; deviceId: number; grantedAt: number },
): Promise<void> {
  await tx.insert(deviceCodes).values(code);
}

/** The device, locked until the transaction ends. */
export async function lockDevice(tx: Executor, clinicId: number, id: number): Promise<DeviceRow | undefined> {
  const [row] = await tx
    .select()
    .from(devices)
    .where(and(eq(devices.clinicId, clinicId), eq(devices.id, id)))
    .for('update');
  return row;
}

/** How far a device has counted under one of its codes; undefined for a code that it was never granted. */
export async function countedUnder(
  tx: Executor,
  clinicId: number,
  { deviceId, code }: { deviceId: number; code: string },
): Promise<CodeRow | undefined> {
  const [row] = await tx
    .select()
    .from(deviceCodes)
    .where(and(eq(deviceCodes.clinicId, clinicId), eq(deviceCodes.code, code), eq(deviceCodes.deviceId, deviceId)));
  return row;
}

export async function updateDevice(
  database: Executor,
  clinicId: number,
  id: number,
  change: Partial<DeviceRow>,
): Promise<void> {
  await database
    .update(devices)
    .set(change)
    .where(and(eq(devices.clinicId, clinicId), eq(devices.id, id)));
}

/** Those that somebody enrolled: the server's own device has no key. */
export async function enrolledDevices(database: Executor, clinicId: number): Promise<DeviceRow[]> {
  return database
    .select()
    .from(devices)
    .where(and(eq(devices.clinicId, clinicId), isNotNull(devices.keyHash)))
    .orderBy(desc(devices.lastSeenAt), desc(devices.id));
}
