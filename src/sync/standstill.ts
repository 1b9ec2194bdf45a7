/** Remembers on this device when the sync engine last stood still, for support. */
import { create } from 'zustand';
import { persist } from 'zustand/middleware';
import { engineChannel } from '../db/engine-messages.ts';
import type { EngineMessage } from '../db/engine-messages.ts';

export interface Standstill {
  /** Milliseconds since 1970. */
  atMs: number;
  host: 'worker' | 'page';
  /** The call without an answer; null when the lock was taken from a holder that did not answer. */
  call: string | null;
}

export const useStandstill = create<{ last: Standstill | null }>()(
  persist((): { last: Standstill | null } => ({ last: null }), { name: 'standstill' }),
);

/** Listens to the engine, wherever it runs. */
export function watchStandstills(signal: AbortSignal): void {
  const channel = new BroadcastChannel(engineChannel);
  channel.addEventListener('message', ({ data }: MessageEvent<EngineMessage>) => {
    if (data.type !== 'standstill' && data.type !== 'taken') return;
    const last: Standstill = {
      atMs: Date.now(),
      host: data.host,
      call: data.type === 'standstill' ? data.step.name : null,
    };
    console.warn('Synchronisation stood still and goes on.', last);
    useStandstill.setState({ last });
  });
  signal.addEventListener('abort', () => channel.close());
}
