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
import { Client, DatabaseError, Pool } from 'pg';
import type { ClientConfig, PoolClient, PoolConfig, QueryResult } from 'pg';
import { keepWork } from '../loop-watch.ts';
import { statementsToSee } from './clinic-role.ts';
import { DatabaseUnavailable } from './transaction.ts';

const schemeAndAuthority = /^(\w+:\/\/)([^/?#]*)/;

/** Returns a connection string for each server named in one. */
export function addressesOf(connectionString: string): string[] {
  const [beginning = '', scheme, authority = ''] = schemeAndAuthority.exec(connectionString) ?? [];
  const rest = connectionString.slice(beginning.length);
  const servers = authority.lastIndexOf('@') + 1;
  const before = `${scheme}${authority.slice(0, servers)}`;
  const named = authority.slice(servers).split(',');
  return named.length > 1 ? named.map((server) => `${before}${server}${rest}`) : [connectionString];
}

/** More clinics than a process serves at once. Anybody can type the number of a clinic in an address. */
const mostClinics = 1000;

/** The callback form in which `Pool.query` asks for a connection. */
type Connected = (
  error: Error | undefined,
  client: PoolClient | undefined,
  release: (broken?: Error | boolean) => void,
) => void;

/** The servers of a connection string, and the one that is asked for the next connection. */
class Servers {
  private readonly addresses: readonly string[];
  current: string;

  constructor(connectionString: string) {
    this.addresses = addressesOf(connectionString);
    this.current = this.addresses[0]!;
  }

  get count(): number {
    return this.addresses.length;
  }

  /** Moves on to the next server, unless another failed connection has done so. */
  moveOnFrom(address: string): void {
    if (this.current !== address) return;
    this.current = this.addresses[(this.addresses.indexOf(address) + 1) % this.addresses.length]!;
  }
}

/**
 * A connection to the current server. When it fails before anyone could use it, the next server becomes the current one: the
 * pool makes connections for the longest waiter, and when that one has given up, it tells nobody.
 */
class PrimaryClient extends Client {
  private isUsable = false;
  /** The clinic whose rows the next statement is to see; null for all clinics. */
  sees: number | null = null;
  /** The clinic whose rows the connection shows. */
  private shown: number | null = null;

  constructor(servers: Servers, config: ClientConfig) {
    const { current } = servers;
    super({ ...config, connectionString: current });
    // An error that nobody hears would end the process, also in the moment in which the pool hands a connection over. The
    // next statement fails.
    this.on('error', () => undefined);
    // An error comes before the end, and not every end has one.
    for (const event of ['error', 'end'])
      this.connection.once(event, () => {
        if (!this.isUsable) servers.moveOnFrom(current);
      });
  }

  /** Changes what the connection shows in the same write as the statement that needs it, so nothing waits for it. */
  // oxlint-disable-next-line typescript/no-explicit-any -- The overloads are those of `Client`.
  override query(...statement: any[]): any {
    if (this.shown !== this.sees) {
      const change = statementsToSee(this.sees, this.shown);
      this.shown = this.sees;
      const { stream } = this.connection;
      stream.cork();
      process.nextTick(() => stream.uncork());
      // The statement must not run where it would see another clinic.
      super.query(change).catch(() => stream.destroy());
    }
    const answer: unknown = super.query(...(statement as [string]));
    // A stream of rows is none, and neither is what calls back.
    return answer instanceof Promise ? keepWork(answer) : answer;
  }

  /**
   * A standby can be read, but its data may be old and writes fail. A pooler such as PgBouncer accepts a connection even if
   * no server is behind it, so the answer has a time limit of its own.
   */
  async mustTakeWrites(timeoutMs: number): Promise<void> {
    const question = { text: 'show transaction_read_only', query_timeout: timeoutMs };
    const { rows } = (await this.query(question)) as QueryResult<{ transaction_read_only: 'on' | 'off' }>;
    if (rows[0]!.transaction_read_only === 'on')
      throw new Error('This PostgreSQL takes no writes; it may be a standby');
    this.isUsable = true;
  }
}

export class PrimaryPool extends Pool {
  private readonly servers: Servers;
  private readonly connections = new Set<PoolClient>();
  private readonly clinics = new Map<number, Pool>();

  constructor(connectionString: string, options: PoolConfig = {}) {
    const servers = new Servers(connectionString);
    const { connectionTimeoutMillis = 10_000 } = options;
    super({
      // A server whose machine is gone closes no connection: the kernel has to probe.
      keepAlive: true,
      keepAliveInitialDelayMillis: 10_000,
      ...options,
      connectionTimeoutMillis,
      Client: PrimaryClient.bind(null, servers) as unknown as typeof Client,
      onConnect: (client) => (client as PrimaryClient).mustTakeWrites(connectionTimeoutMillis),
    });
    this.servers = servers;
    this.on('connect', (connection) => this.connections.add(connection));
    this.on('remove', (connection) => this.connections.delete(connection));
    // The pool replaces an idle connection that breaks. Without a listener the error would end the process.
    this.on('error', () => undefined);
  }

  /** Ends every connection at once, and with it the statement that waits for an answer there. */
  disconnect(): void {
    for (const { connection } of this.connections) connection.stream.destroy();
  }

  /** Takes a connection that sees all clinics. */
  override connect(): Promise<PoolClient>;
  override connect(callback: Connected): void;
  override connect(callback?: Connected): Promise<PoolClient> | undefined {
    if (!callback) return this.connectInTurn();
    callbackify(() => this.connectInTurn())((error: Error | null, client?: PoolClient) =>
      callback(error ?? undefined, client, (broken) => client?.release(broken)),
    );
    return undefined;
  }

  /** Returns the same connections, of which each sees only the rows of a clinic (decision 046). */
  within(clinicId: number): Pool {
    const pool = this.clinics.get(clinicId) ?? this.seeing(clinicId);
    // The clinics that were asked for last stay.
    this.clinics.delete(clinicId);
    this.clinics.set(clinicId, pool);
    const [oldest] = this.clinics.keys();
    if (this.clinics.size > mostClinics) this.clinics.delete(oldest!);
    return pool;
  }

  private seeing(clinicId: number): Pool {
    const showing = (client: PoolClient): PoolClient => Object.assign(client, { sees: clinicId });
    const connect = (callback?: Connected): Promise<PoolClient> | void =>
      callback
        ? this.connect((error, client, release) => callback(error, client && showing(client), release))
        : this.connect().then(showing);
    return Object.create(this, { connect: { value: connect } }) as Pool;
  }

  private async connectInTurn(): Promise<PoolClient> {
    for (let turn = 1; ; turn++) {
      const asked = this.servers.current;
      try {
        const client = await keepWork(super.connect());
        (client as PoolClient & PrimaryClient).sees = null;
        return client;
      } catch (error) {
        if (turn === this.servers.count || this.servers.current === asked) throw error;
      }
    }
  }

  /**
   * Runs one statement on any connection. An error that PostgreSQL did not report is an error of the connection.
   *
   * @throws DatabaseUnavailable
   */
  // oxlint-disable-next-line typescript/no-explicit-any -- The overloads are those of `Pool`.
  override async query(...statement: any[]): Promise<any> {
    try {
      return await keepWork(super.query(...(statement as [string])) as unknown as Promise<unknown>);
    } catch (error) {
      throw error instanceof DatabaseError ? error : new DatabaseUnavailable(error);
    }
  }
}

/** Runs work on a connection of its own. Closing it releases locks and rolls back an open transaction. */
export async function onConnection<T>(connectionString: string, work: (client: PoolClient) => Promise<T>): Promise<T> {
  const pool = new PrimaryPool(connectionString, { max: 1 });
  try {
    const client = await pool.connect();
    return await work(client).finally(() => client.release(true));
  } finally {
    await pool.end();
  }
}
