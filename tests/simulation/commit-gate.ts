/**
 * Stands between the server and PostgreSQL at the moments that decide whether work is done: the statements of a transaction
 * and its commit. Armed with a trouble, it lets the next writing transaction meet it.
 */
import type { Pool, PoolClient } from 'pg';

export type CommitTrouble =
  /** The server dies before the commit: nothing is written, nothing is answered. */
  | { type: 'killed_before_commit' }
  /** The connection breaks as the commit is answered: the work is done and the server does not know. */
  | { type: 'commit_unknown' }
  /** A statement fails, and with it the transaction. */
  | { type: 'statement_fails'; statement: number; code: string }
  /** The commit takes its time, while others go on. */
  | { type: 'commit_held' };

type Query = (...args: unknown[]) => Promise<unknown>;

class DatabaseFault extends Error {
  constructor(readonly code: string) {
    super(`Planned: ${code}`);
  }
}

export class CommitGate {
  private armed: CommitTrouble | null = null;
  private subject: PoolClient | null = null;
  private statements = 0;
  private release: (() => void) | null = null;
  private onHeld: (() => void) | null = null;
  /** The transaction that is held, so that others' waiting can be told from ours. */
  heldXid: string | null = null;
  /** Whether the last reader of the feed found that nobody was writing, on the whole database server. */
  sawNobodyWriting = true;

  constructor(pool: Pool) {
    const patched = new WeakSet<PoolClient>();
    const connect = pool.connect.bind(pool) as (callback?: unknown) => Promise<PoolClient>;
    pool.connect = ((callback?: unknown) => {
      // The pool's own shortcut for single queries passes a callback; those are no transactions.
      if (callback) return connect(callback);
      return connect().then((client) => {
        if (patched.has(client)) return client;
        patched.add(client);
        const query = client.query.bind(client) as unknown as Query;
        client.query = ((...args: unknown[]) => this.pass(client, query, args)) as unknown as PoolClient['query'];
        return client;
      });
    }) as Pool['connect'];
  }

  arm(trouble: CommitTrouble): void {
    this.armed = trouble;
    this.subject = null;
    this.statements = 0;
  }

  disarm(): void {
    this.armed = null;
  }

  /** Resolves once a commit is held. */
  held(): Promise<void> {
    return new Promise((resolve) => {
      this.onHeld = resolve;
    });
  }

  get isHolding(): boolean {
    return this.release !== null;
  }

  letGo(): void {
    this.release?.();
    this.release = null;
  }

  private async pass(client: PoolClient, query: Query, args: unknown[]): Promise<unknown> {
    if (isFeedBounds(args[0])) return this.watchBounds(query, args);
    const { armed } = this;
    if (!armed) return query(...args);
    if (args[0] === 'begin') {
      this.subject = client;
      this.statements = 0;
      return query(...args);
    }
    if (client !== this.subject || args[0] === 'rollback') return query(...args);
    if (armed.type === 'statement_fails') {
      this.statements += 1;
      if (this.statements < armed.statement && args[0] !== 'commit') return query(...args);
      this.disarm();
      throw new DatabaseFault(armed.code);
    }
    if (args[0] !== 'commit') return query(...args);
    this.disarm();
    switch (armed.type) {
      case 'killed_before_commit':
        throw new DatabaseFault('57P01');
      case 'commit_unknown':
        await query(...args);
        throw new DatabaseFault('08006');
      case 'commit_held':
        await this.hold(query);
        return query(...args);
    }
  }

  private async watchBounds(query: Query, args: unknown[]): Promise<unknown> {
    const result = (await query(...args)) as { rows: { horizon: string; next: string }[] };
    this.sawNobodyWriting = result.rows[0]!.horizon === result.rows[0]!.next;
    return result;
  }

  private async hold(query: Query): Promise<void> {
    const { rows } = (await query('select pg_current_xact_id_if_assigned()::text as xid')) as { rows: { xid: string | null }[] };
    this.heldXid = rows[0]!.xid;
    const released = new Promise<void>((resolve) => {
      this.release = resolve;
    });
    this.onHeld?.();
    await released;
    this.heldXid = null;
  }
}

const isFeedBounds = (query: unknown): boolean => typeof query === 'object' && (query as { name?: string }).name === 'feed bounds';
