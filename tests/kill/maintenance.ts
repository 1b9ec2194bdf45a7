/** Backup and restore of the clinic of a kill test. */
import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';
import type { ServerProcess } from '../support/server-process.ts';

/** Runs a maintenance command beside the running server, as an operator does. */
export async function tool(clinic: ServerProcess, ...args: string[]): Promise<string> {
  const env = { ...process.env, DATA_DIR: clinic.dataDir, BACKUP_PASSPHRASE: 'a passphrase of the clinic' };
  const { stdout } = await promisify(execFile)(process.execPath, [path.resolve('dist/server/tools.js'), ...args], {
    env,
  });
  return stdout;
}

export const backupOf = (clinic: ServerProcess): string => path.join(clinic.dataDir, 'backup.age');

/** Returns those of the invoice numbers that the server has recorded. */
export async function booked(clinic: ServerProcess, numbers: readonly string[]): Promise<string[]> {
  const rows = await clinic.query<{ number: string }>('select number from invoices where number = any($1) order by 1', [
    numbers,
  ]);
  return rows.map(({ number }) => number);
}
