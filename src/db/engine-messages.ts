/**
 * What pages and the sync engine tell each other about standstills: who holds the lock, since when, and what for. It
 * travels beside the database, because storage may be what does not answer.
 */

import { askChannel } from './ask-channel.ts';

export const engineChannel = 'dental-counter-engine';

/** A call of the engine that has no answer yet. Times are milliseconds since 1970. */
export interface EngineStep {
  name: string;
  sinceMs: number;
}

export interface EngineStatus {
  host: 'worker' | 'page';
  /** Since when the engine holds the lock. */
  heldSinceMs: number;
  steps: EngineStep[];
}

export type EngineMessage =
  | { type: 'who' }
  | ({ type: 'holder' } & EngineStatus)
  /** The engine gave a call up that had no answer. */
  | { type: 'standstill'; step: EngineStep; host: EngineStatus['host'] }
  /** The engine took the lock from a holder that did not answer. */
  | { type: 'taken'; host: EngineStatus['host'] };

/** Asks who holds the lock. @returns null when nobody answers */
export const askHolder = (): Promise<EngineStatus | null> =>
  askChannel(engineChannel, { type: 'who' } satisfies EngineMessage, (message) => {
    const answer = message as EngineMessage;
    return answer.type === 'holder' ? answer : null;
  });
