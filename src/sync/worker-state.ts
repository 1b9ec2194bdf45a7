import { create } from 'zustand';
import { skipWaiting } from '../db/worker-messages.ts';

interface WorkerState {
  /** Context in which synchronisation runs; `unknown` until the registration of the worker has succeeded or failed. */
  host: 'unknown' | 'worker' | 'page';
  /** The registration with a new version that waits to take over. */
  waiting: ServiceWorkerRegistration | null;
}

export const useWorker = create<WorkerState>(() => ({ host: 'unknown', waiting: null }));

export function applyUpdate(): void {
  const { waiting } = useWorker.getState();
  if (waiting) skipWaiting(waiting);
  else location.reload();
}
