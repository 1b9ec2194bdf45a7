/**
 * Notes, outside the database, how much of this device is unsent. A browser that finds its storage damaged deletes the database,
 * and no call fails: only this note can then tell what was lost.
 */
import { create } from 'zustand';
import { persist } from 'zustand/middleware';
import type { ClinicDatabase } from '../db/database.ts';

export interface UnsentNote {
  device_id: number;
  /** The device's code, which its document numbers contain. */
  code: string;
  /** The number of unsent operations. */
  count: number;
}

/** What was lost and nobody has acknowledged yet. */
export const useLostStorage = create<{ lost: UnsentNote | null }>()(
  persist((): { lost: UnsentNote | null } => ({ lost: null }), { name: 'lost-storage' }),
);

/** Read anew each time, because other tabs write it too. */
const noteKey = 'unsent-note';

/**
 * Notes the number of unsent operations. Without its database the browser is no device, or has become another one: then what
 * the note counted is lost, unless the operations are still here, as they are when a device is only enrolled anew.
 */
export async function noteUnsent(db: ClinicDatabase, count: number): Promise<void> {
  const device = await db.device.get('this');
  const noted = JSON.parse(localStorage.getItem(noteKey) ?? 'null') as UnsentNote | null;
  const isOfAnother = noted !== null && noted.count > 0 && noted.device_id !== device?.device_id;
  if (isOfAnother && !(await knows(db, noted))) {
    useLostStorage.setState({ lost: noted });
    localStorage.removeItem(noteKey);
  }
  if (!device) return;
  const { device_id, code } = device;
  localStorage.setItem(noteKey, JSON.stringify({ device_id, code, count } satisfies UnsentNote));
}

const knows = async (db: ClinicDatabase, { device_id }: UnsentNote): Promise<boolean> =>
  (await db.operations.filter((operation) => operation.device_id === device_id).first()) !== undefined;
