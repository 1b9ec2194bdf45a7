/**
 * Connections to whichever of several servers takes writes. A connection string may name them all, as libpq's does:
 *
 *     postgres://user:password@first:5432,second:5432/clinic
 *
 * A connection is used only if its server is the primary when it is made; the servers are asked in turn, the one that was it
 * last before the others. So a process follows a failover by itself: connections to a primary that died end, and new ones are
 * refused until one of the others has been promoted.
 */
import { callbackify } from 'node:util';
import { DatabaseError, Pool } from 'pg';
import type { ClientBase, PoolClient, PoolConfig } from 'pg';
import { DatabaseUnavailable } from './transaction.ts';

const several = /^(\w+:\/\/(?:[^/?#]*@)?)([^/?#]*,[^/?#]*)(.*)$/;

/** Returns a connection string for each server named in one. */
export function addressesOf(connectionString: string): string[] {
  const [, before, servers, after] = several.exec(connectionString) ?? [];
  return servers ? servers.split(',').map((server) => `${before}${server}${after}`) : [connectionString];
}

/** The callback form in which `Pool.query` asks for a connection. */
type Connected = (
  error: Error | undefined,
  client: PoolClient | undefined,
  release: (broken?: Error | boolean) => void,
) => void;

export class PrimaryPool extends Pool {
  private readonly addresses: readonly string[];

  constructor(connectionString: string, options: PoolConfig = {}) {
    const addresses = addressesOf(connectionString);
    const { connectionTimeoutMillis = 10_000 } = options;
    super({
      // A server whose machine is gone closes no connection: the kernel has to probe.
      keepAlive: true,
      keepAliveInitialDelayMillis: 10_000,
      ...options,
      connectionTimeoutMillis,
      connectionString: addresses[0],
      onConnect: (client) => mustTakeWrites(client, connectionTimeoutMillis),
    });
    this.addresses = addresses;
    // The pool replaces an idle connection that breaks. Without a listener the error would end the process.
    this.on('error', () => undefined);
  }

  override connect(): Promise<PoolClient>;
  override connect(callback: Connected): void;
  override connect(callback?: Connected): Promise<PoolClient> | undefined {
    if (!callback) return this.connectInTurn();
    callbackify(() => this.connectInTurn())((error: Error | null, client?: PoolClient) =>
      callback(error ?? undefined, client, (broken) => client?.release(broken)),
    );
    return undefined;
  }

  private async connectInTurn(): Promise<PoolClient> {
    for (let turn = 1; ; turn++) {
      // The pool makes its next connection to this address.
      const address = this.options.connectionString!;
      const isNew = this.idleCount === 0 && this.totalCount < this.options.max;
      try {
        return await super.connect();
      } catch (error) {
        // Waiting in vain for a used connection says nothing about the server.
        if (isNew && this.options.connectionString === address) this.options.connectionString = this.after(address);
        if (turn === this.addresses.length || this.options.connectionString === address) throw error;
      }
    }
  }

  private after(address: string): string {
    return this.addresses[(this.addresses.indexOf(address) + 1) % this.addresses.length]!;
  }

  /**
   * Runs one statement on any connection. An error that PostgreSQL did not report is an error of the connection.
   *
   * @throws DatabaseUnavailable
   */
  // oxlint-disable-next-line typescript/no-explicit-any -- The overloads are those of `Pool`.
  override async query(...statement: any[]): Promise<any> {
    try {
      return await super.query(...(statement as [string]));
    } catch (error) {
      throw error instanceof DatabaseError ? error : new DatabaseUnavailable(error);
    }
  }
}

/**
 * A standby can be read, but its data may be old and writes fail. A pooler such as PgBouncer accepts a connection even if
 * no server is behind it, so the answer has a time limit of its own.
 */
async function mustTakeWrites(client: ClientBase, timeoutMs: number): Promise<void> {
  const question = { text: 'show transaction_read_only', query_timeout: timeoutMs };
  const { rows } = await client.query<{ transaction_read_only: 'on' | 'off' }>(question);
  if (rows[0]!.transaction_read_only === 'on') throw new Error('This PostgreSQL takes no writes; it may be a standby');
}

/** Runs work on a connection of its own. Closing it releases locks and rolls back an open transaction. */
export async function onConnection<T>(connectionString: string, work: (client: PoolClient) => Promise<T>): Promise<T> {
  const pool = new PrimaryPool(connectionString, { max: 1 });
  try {
    const client = await pool.connect();
    // A connection lost between two statements fails the next one. Without a listener the error would end the process.
    client.on('error', () => undefined);
    return await work(client).finally(() => client.release(true));
  } finally {
    await pool.end();
  }
}
