/**
 * Listens for pokes from the server (SYNC-9). The stream carries no data, and the timer covers missed pokes. It uses
 * fetch instead of EventSource, which can't send the token in a header.
 */
import { createParser } from 'eventsource-parser';
import type { ClinicDatabase } from '../db/database.ts';
import { anySignal } from '../db/any-signal.ts';
import { workerToken } from '../session/mirror.ts';
import { pause } from './pause.ts';

/** The server sends a heartbeat every 15 s; after three missed ones the connection is dead. */
const silenceMs = 45_000;
const [firstPauseMs, longestPauseMs] = [2_000, 60_000];
/** A server that stops ends the streams of all tablets at once; they ask for it spread over this time. */
const spreadMs = 1_000;

interface EventStream {
  db: ClinicDatabase;
  onChange: () => void;
  /** Returns a signal that ends a pause, because the server answers again. */
  answersAgain: () => AbortSignal;
  /** Stops listening. */
  signal: AbortSignal;
  /** True when another tab listened before, so that pokes may be missed until the server has accepted the first stream. */
  isTakenOver: boolean;
}

export async function followEvents({ db, onChange, answersAgain, signal, isTakenOver }: EventStream): Promise<void> {
  let pauseMs = firstPauseMs;
  let hasMissed = isTakenOver;
  const onAdmitted = () => {
    if (hasMissed) onChange();
    hasMissed = false;
  };
  while (!signal.aborted) {
    const bearer = await workerToken(db, Date.now());
    const end = bearer ? await readStream(bearer, { onAdmitted, onChange }, signal) : 'refused';
    if (signal.aborted) return;
    if (end === 'ended') pauseMs = firstPauseMs;
    // The server may be gone, which only a request can tell.
    if (end !== 'refused') await pause([0, spreadMs], signal).then(onChange);
    await pause([pauseMs / 2, pauseMs], anySignal([signal, answersAgain()]));
    pauseMs = Math.min(longestPauseMs, pauseMs * 2);
  }
}

/** How a stream ended: after the server had accepted it, by the server's refusal, or without any reply. */
type StreamEnd = 'ended' | 'refused' | 'unreachable';

/** Reads until the stream ends, fails or falls silent. */
async function readStream(
  bearer: string,
  { onAdmitted, onChange }: { onAdmitted: () => void; onChange: () => void },
  signal: AbortSignal,
): Promise<StreamEnd> {
  const silence = new AbortController();
  let alarm = setTimeout(() => silence.abort(), silenceMs);
  const parser = createParser({ onEvent: onChange });
  let admitted = false;
  try {
    const response = await fetch('/api/sync/events', {
      headers: { accept: 'text/event-stream', authorization: `Bearer ${bearer}` },
      cache: 'no-store',
      signal: anySignal([signal, silence.signal]),
    });
    admitted = response.ok && (response.headers.get('content-type') ?? '').startsWith('text/event-stream');
    if (!admitted || !response.body) return 'refused';
    onAdmitted();
    const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return 'ended';
      clearTimeout(alarm);
      alarm = setTimeout(() => silence.abort(), silenceMs);
      parser.feed(value);
    }
  } catch {
    return admitted ? 'ended' : 'unreachable';
  } finally {
    clearTimeout(alarm);
  }
}
