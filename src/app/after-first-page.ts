import { rotateLog } from '../db/rotate-log.ts';
import { followVisibleArea } from '../ui/visible-area.ts';
import { guardKeys } from './guard-keys.ts';
import { registerWorker } from './register-worker.ts';

/** Starts what the first page does not need. */
export async function afterFirstPage(): Promise<void> {
  guardKeys();
  followVisibleArea();
  void rotateLog();
  await registerWorker();
}
