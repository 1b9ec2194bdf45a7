/**
 * Listens to channels of PostgreSQL on its own connection, and opens another when it is lost. A server that falls
 * silent, such as one on a frozen machine, closes no connection; the listener asks it again and again, and when no answer
 * comes, it ends every connection of the process.
 */
import { setTimeout as delay } from 'node:timers/promises';
import type { PoolClient } from 'pg';
import type { Database } from '../db/database.ts';

const reconnectMs = 1000;

/** A cluster replaces a frozen primary after some 20 s. By then the process looks for the next one. */
const patience: Patience = { askEveryMs: 5000, silenceMs: 10_000 };

interface Patience {
  /** Milliseconds from an answer to the next question. */
  askEveryMs: number;
  /** A server that needs longer for an answer is taken for lost. */
  silenceMs: number;
}

/** What to do with a message of each channel. */
export type Channels = Readonly<Record<string, (payload: string) => void>>;

export interface Listener {
  close(): Promise<void>;
}

/** @param onConnect runs whenever listening begins: messages before that are lost */
export function listenTo(
  pool: Database['$client'],
  channels: Channels,
  onConnect: () => void,
  { askEveryMs, silenceMs } = patience,
): Listener {
  const stop = new AbortController();
  const channelNames = Object.keys(channels);
  const question = { text: channelNames.map((name) => `listen ${name}`).join('; '), query_timeout: silenceMs };

  async function listen(): Promise<void> {
    while (!stop.signal.aborted) {
      let client: PoolClient | null = null;
      try {
        client = await pool.connect();
        const ended = messages(client);
        await client.query(question);
        onConnect();
        const isSilent = await Promise.race([ended.then(() => false), silence(client).then(() => true)]);
        if (isSilent) pool.disconnect();
      } catch {
        // The database is not available. Tablets poll meanwhile.
      } finally {
        client?.release(true);
      }
      await delay(reconnectMs, undefined, { signal: stop.signal, ref: false }).catch(() => undefined);
    }
  }

  /** Resolves when the connection ends, or when listening does. */
  function messages(connection: PoolClient): Promise<void> {
    return new Promise((resolve) => {
      connection.on('notification', ({ channel, payload = '' }) => channels[channel]?.(payload));
      connection.on('error', () => resolve());
      connection.on('end', () => resolve());
      stop.signal.addEventListener('abort', () => resolve());
      // The connection may have been made after the end.
      if (stop.signal.aborted) resolve();
    });
  }

  /** Resolves when a question is not answered. The question changes nothing: the connection listens already. */
  async function silence(connection: PoolClient): Promise<void> {
    let isAnswered = true;
    while (isAnswered) {
      await delay(askEveryMs, undefined, { signal: stop.signal, ref: false });
      isAnswered = await connection.query(question).then(
        () => true,
        () => false,
      );
    }
  }

  const listening = listen();
  return {
    async close() {
      stop.abort();
      await listening;
    },
  };
}
