import { rotateLog } from '../db/rotate-log.ts';
import { followVisibleArea } from '../ui/visible-area.ts';
import { guardKeys } from './guard-keys.ts';
import { registerWorker } from './register-worker.ts';
import { tellOfWaiting } from './tell-of-waiting.ts';

/** Starts what the first page does not need. */
export async function afterFirstPage(): Promise<void> {
  guardKeys();
  followVisibleArea();
  tellOfWaiting();
  void rotateLog();
  await registerWorker();
}
