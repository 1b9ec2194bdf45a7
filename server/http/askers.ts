/**
 * Tells when whoever has asked is gone: their stream over HTTP/2, their connection over HTTP/1.1. What waits for its turn is then
 * done for nobody, and those behind it would wait for it.
 */
import type { EventEmitter } from 'node:events';
import type { FastifyRequest } from 'fastify';
import { streamOf } from './secure.ts';

export interface Asker {
  isGone: () => boolean;
  /** Calls back once when they go. Returns a function after which it is not called. */
  onGone: (tell: () => void) => () => void;
}

type Way = EventEmitter & { destroyed: boolean };

/** Many requests may wait on one connection, so it has one listener for all. */
const waitingOn = new WeakMap<Way, Set<() => void>>();

function waitingOf(way: Way): Set<() => void> {
  const known = waitingOn.get(way);
  if (known) return known;
  const waiting = new Set<() => void>();
  waitingOn.set(way, waiting);
  way.once('close', () => {
    for (const tell of waiting) tell();
    waiting.clear();
  });
  return waiting;
}

/** Somebody who is gone when the signal says so. */
export const askerUntil = (signal: AbortSignal): Asker => ({
  isGone: () => signal.aborted,
  onGone(tell) {
    signal.addEventListener('abort', tell, { once: true });
    return () => signal.removeEventListener('abort', tell);
  },
});

export function askerOf(request: FastifyRequest): Asker {
  const way: Way = streamOf(request) ?? request.raw.socket;
  return {
    isGone: () => way.destroyed,
    onGone(tell) {
      const waiting = waitingOf(way);
      waiting.add(tell);
      return () => waiting.delete(tell);
    },
  };
}
