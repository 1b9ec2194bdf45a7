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

interface Notes {
  unsent: UnsentNote | null;
  /** What was lost and nobody has acknowledged yet. */
  lost: UnsentNote | null;
}

export const useLostStorage = create<Notes>()(
  persist((): Notes => ({ unsent: null, lost: null }), { name: 'unsent-note' }),
);

/**
 * Notes the number of unsent operations. Without its database the browser has become another device: then what the note
 * counted is lost, unless the operations are still here, as they are when a device is only enrolled anew.
 */
export async function noteUnsent(db: ClinicDatabase, count: number): Promise<void> {
  const device = await db.device.get('this');
  if (!device) return;
  const { unsent, lost } = useLostStorage.getState();
  const { device_id, code } = device;
  const isGone = unsent !== null && unsent.count > 0 && unsent.device_id !== device_id && !(await knows(db, unsent));
  useLostStorage.setState({ unsent: { device_id, code, count }, lost: isGone ? unsent : lost });
}

const knows = async (db: ClinicDatabase, { device_id }: UnsentNote): Promise<boolean> =>
  (await db.operations.filter((operation) => operation.device_id === device_id).first()) !== undefined;
