/**
 * Devices and the codes under which they number (SYNC-12). A code is granted once and never again, because papers carry
 * it. A device proves itself with a key that it got once and that is kept here only as a hash; the key has 256 random
 * bits, so a plain hash is enough.
 */
import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { noNumbersUsed, series } from '../../../domain/order/numbers.ts';
import type { NumberCounters } from '../../../domain/order/numbers.ts';
import type { DeviceResource, DeviceReply, DeviceRequest } from '../../../domain/protocol/sync.ts';
import { accept, refuse } from '../../../domain/result.ts';
import type { Result } from '../../../domain/result.ts';
import { queriesOver } from '../../db/database.ts';
import type { Executor } from '../../db/database.ts';
import { isoOf } from '../../db/sql.ts';
import type { Ports } from '../../ports.ts';
import type { WriteContext } from '../../context.ts';
import { recordAudit } from '../audit/service.ts';
import { setSessionDevice } from '../users/service.ts';
import type { Session } from '../../context.ts';
import {
  countedUnder,
  enrolledDevices,
  insertCode,
  insertDevice,
  isGrantedToNobody,
  lockDevice,
  takeNextCode,
  updateDevice,
} from './store.ts';
import type { CodeRow, DeviceRow } from './store.ts';

type Introduced = Pick<DeviceReply, 'device_id' | 'device_key' | 'code' | 'counters' | 'last_seq'>;

/** A device introduces itself: a new one is enrolled, a known one recognised by its key. The session is its from now on. */
export async function introduceDevice(
  { database, clock }: Ports,
  session: Session,
  request: DeviceRequest,
): Promise<Result<Introduced>> {
  const at = clock();
  return database.transaction(async (tx) => {
    const isKnown = request.device_id !== undefined || request.device_key !== undefined;
    const introduced = isKnown
      ? await recognise(tx, session, request, at)
      : accept(await enrol(tx, session, request, at));
    if (!introduced.ok) return introduced;
    await setSessionDevice(tx, { ...session, deviceId: introduced.value.device_id });
    return introduced;
  });
}

/** A device with a code that nobody had before. Without a key it cannot be claimed by anyone. */
export async function grantDevice(
  tx: Executor,
  { clinicId, name, keyHash, at }: { clinicId: number; name: string; keyHash: string | null; at: number },
): Promise<{ id: number; code: string }> {
  const code = await takeNextCode(tx, clinicId);
  const { id } = await insertDevice(tx, {
    clinicId,
    keyHash,
    name,
    code,
    createdAt: at,
    lastSeenAt: at,
    clearedAt: at,
  });
  await insertCode(tx, { clinicId, code, deviceId: id, grantedAt: at });
  return { id, code };
}

async function enrol(tx: Executor, session: Session, { name = '' }: DeviceRequest, at: number): Promise<Introduced> {
  const key = randomBytes(32).toString('base64url');
  const { id, code } = await grantDevice(tx, { clinicId: session.clinicId, name, keyHash: hashOf(key), at });
  await recordAudit(tx, { ...session, deviceId: id }, { action: 'device.enrolled', subject: code, at });
  return { device_id: id, device_key: key, code, counters: noNumbersUsed, last_seq: 0 };
}

/** The copies of a cloned storage are one device here, and each of them says under which of its codes it numbers. */
async function recognise(
  tx: Executor,
  session: Session,
  request: DeviceRequest,
  at: number,
): Promise<Result<Introduced>> {
  const { clinicId } = session;
  const device = request.device_id === undefined ? undefined : await lockDevice(tx, clinicId, request.device_id);
  if (!device) return adopt(tx, session, request, at);
  if (!holdsKey(device, request.device_key)) return refuse('DEVICE_UNKNOWN');
  await updateDevice(tx, clinicId, device.id, { lastSeenAt: at, name: request.name ?? device.name });
  const known = { device_id: device.id, last_seq: device.lastSeq };
  const counters = request.counters ?? noNumbersUsed;
  const counted = await countedUnder(tx, clinicId, { deviceId: device.id, code: request.code ?? device.code });
  if (counted && !isBehind(counters, counted)) return accept({ ...known, code: counted.code, counters });

  // The device forgot numbers that are on paper, or is a copy of another: under its old code it would print them again.
  const code = await takeNextCode(tx, clinicId);
  await insertCode(tx, { clinicId, code, deviceId: device.id, grantedAt: at });
  await updateDevice(tx, clinicId, device.id, { code });
  await recordAudit(
    tx,
    { ...session, deviceId: device.id },
    { action: 'device.renumbered', subject: code, details: { from: request.code ?? device.code }, at },
  );
  return accept({ ...known, code, counters: noNumbersUsed });
}

/**
 * A device that was enrolled after the backup that this server was restored from: its id was granted and yet is nobody's
 * (SYNC-16). It keeps id and key, under which its queued work travels. It goes on under a new code, because nothing here says
 * how far it has counted under the old one.
 */
async function adopt(
  tx: Executor,
  session: Session,
  { device_id: id, device_key: key, name = '' }: DeviceRequest,
  at: number,
): Promise<Result<Introduced>> {
  if (id === undefined || key === undefined || !(await isGrantedToNobody(tx, id))) return refuse('DEVICE_UNKNOWN');
  const { clinicId } = session;
  const code = await takeNextCode(tx, clinicId);
  await insertDevice(tx, {
    clinicId,
    id,
    keyHash: hashOf(key),
    name,
    code,
    createdAt: at,
    lastSeenAt: at,
    clearedAt: at,
  });
  await insertCode(tx, { clinicId, code, deviceId: id, grantedAt: at });
  await recordAudit(tx, { ...session, deviceId: id }, { action: 'device.adopted', subject: code, at });
  return accept({ device_id: id, code, counters: noNumbersUsed, last_seq: 0 });
}

function isBehind(device: NumberCounters, { treatment, invoice, creditNote }: CodeRow): boolean {
  const server: NumberCounters = { treatment, invoice, credit_note: creditNote };
  return series.some((of) => server[of] > device[of]);
}

function hashOf(key: string): string {
  return createHash('sha256').update(key).digest('hex');
}

function holdsKey({ keyHash }: DeviceRow, key: string | undefined): boolean {
  if (keyHash === null || key === undefined) return false;
  return timingSafeEqual(Buffer.from(keyHash), Buffer.from(hashOf(key)));
}

/** The tablets of a clinic, the latest seen first. */
export async function listDevices(database: Executor, clinicId: number): Promise<DeviceResource[]> {
  const rows = await enrolledDevices(database, clinicId);
  return rows.map(({ id, name, code, createdAt, lastSeenAt }) => ({
    id,
    name,
    code,
    created_at: isoOf(createdAt),
    last_seen_at: lastSeenAt === null ? null : isoOf(lastSeenAt),
  }));
}

export async function renameDevice(
  { sql, session, clinicId, atMs }: WriteContext,
  { id, name }: { id: number; name: string },
): Promise<Result<null>> {
  const tx = queriesOver(sql);
  const found = await lockDevice(tx, clinicId, id);
  if (!found) return refuse('NOT_FOUND');
  await updateDevice(tx, clinicId, id, { name });
  await recordAudit(tx, session, { action: 'device.renamed', subject: found.code, at: atMs });
  return accept(null);
}
