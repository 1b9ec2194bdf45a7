/**
 * Listens for pokes from the server (SYNC-9). The stream carries no data, and the timer covers missed pokes. It uses
 * fetch instead of EventSource, which can't send the token in a header.
 */
import { createParser } from 'eventsource-parser';
import type { ClinicDatabase } from '../db/database.ts';
import { workerToken } from '../session/mirror.ts';

/** The server sends a heartbeat every 15 s; after three missed ones the connection is dead. */
const silenceMs = 45_000;
const [firstPauseMs, longestPauseMs] = [2_000, 60_000];

interface EventStream {
  db: ClinicDatabase;
  onChange: () => void;
  /** Stops listening. */
  signal: AbortSignal;
}

export async function followEvents({ db, onChange, signal }: EventStream): Promise<void> {
  let pauseMs = firstPauseMs;
  while (!signal.aborted) {
    const bearer = await workerToken(db, Date.now());
    if (bearer && (await readStream(bearer, onChange, signal))) pauseMs = firstPauseMs;
    // The jitter keeps the tablets of a clinic from reconnecting all at once.
    await pause(pauseMs * (0.5 + Math.random() / 2), signal);
    pauseMs = Math.min(longestPauseMs, pauseMs * 2);
  }
}

/** Reads until the stream ends, fails or falls silent. @returns true if the server accepted the connection */
async function readStream(bearer: string, onChange: () => void, signal: AbortSignal): Promise<boolean> {
  const silence = new AbortController();
  let alarm = setTimeout(() => silence.abort(), silenceMs);
  const parser = createParser({ onEvent: onChange });
  let admitted = false;
  try {
    const response = await fetch('/api/sync/events', {
      headers: { accept: 'text/event-stream', authorization: `Bearer ${bearer}` },
      cache: 'no-store',
      signal: AbortSignal.any([signal, silence.signal]),
    });
    admitted = response.ok && (response.headers.get('content-type') ?? '').startsWith('text/event-stream');
    if (!admitted || !response.body) return false;
    const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return true;
      clearTimeout(alarm);
      alarm = setTimeout(() => silence.abort(), silenceMs);
      parser.feed(value);
    }
  } catch {
    return admitted;
  } finally {
    clearTimeout(alarm);
  }
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer);
      signal.removeEventListener('abort', done);
      resolve();
    };
    const timer = setTimeout(done, ms);
    signal.addEventListener('abort', done);
  });
}
