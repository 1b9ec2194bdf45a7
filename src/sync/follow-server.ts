import type { ClinicDatabase } from '../db/database.ts';
import type { SyncReason } from '../db/worker-messages.ts';
import { followEvents } from './event-stream.ts';
import { holdStream } from './hold-stream.ts';
import { probeWhileOffline } from './probe.ts';
import { watchStandstills } from './standstill.ts';

interface Followed {
  db: ClinicDatabase;
  requestSync: (reason: SyncReason) => void;
  /** Stops following. */
  signal: AbortSignal;
}

/** Follows the server's pokes, notices when it goes, and looks for its return. */
export function followServer({ db, requestSync, signal }: Followed): void {
  let back = new AbortController();
  watchStandstills(signal);
  probeWhileOffline({
    db,
    signal,
    onReached: () => requestSync('reached'),
    onOnline: () => {
      back.abort();
      back = new AbortController();
    },
  });
  const onChange = () => requestSync('changes');
  holdStream((turn) => followEvents({ db, onChange, answersAgain: () => back.signal, ...turn }), signal);
}
