/** Listens to channels of PostgreSQL on a connection of its own, and opens another when that one is lost. */
import { setTimeout as delay } from 'node:timers/promises';
import type { Pool, PoolClient } from 'pg';

const reconnectMs = 1000;

/** What to do with a message of each channel. */
export type Channels = Readonly<Record<string, (payload: string) => void>>;

export interface Listener {
  close(): Promise<void>;
}

/** @param onConnect runs whenever listening begins: messages before that are lost */
export function listenTo(pool: Pool, channels: Channels, onConnect: () => void): Listener {
  const stop = new AbortController();

  async function listen(): Promise<void> {
    while (!stop.signal.aborted) {
      let client: PoolClient | null = null;
      try {
        client = await pool.connect();
        const ended = messages(client);
        await client.query(
          Object.keys(channels)
            .map((channel) => `listen ${channel}`)
            .join('; '),
        );
        onConnect();
        await ended;
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

  const listening = listen();
  return {
    async close() {
      stop.abort();
      await listening;
    },
  };
}
