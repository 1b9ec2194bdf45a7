import { create } from 'zustand';
import { skipWaiting } from '../db/worker-messages.ts';

interface WorkerState {
  /** Where synchronisation runs; unknown until the worker has been registered or could not be. */
  host: 'unknown' | 'worker' | 'page';
  /** The registration whose new version waits to take over. */
  waiting: ServiceWorkerRegistration | null;
}

export const useWorker = create<WorkerState>(() => ({ host: 'unknown', waiting: null }));

export function applyUpdate(): void {
  const { waiting } = useWorker.getState();
  if (waiting) skipWaiting(waiting);
  else location.reload();
}
