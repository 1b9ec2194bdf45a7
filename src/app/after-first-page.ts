import { rotateLog } from '../db/rotate-log.ts';
import { guardKeys } from './guard-keys.ts';
import { registerWorker } from './register-worker.ts';

/** Starts what the first page does not need. */
export async function afterFirstPage(): Promise<void> {
  guardKeys();
  void rotateLog();
  await registerWorker();
}
