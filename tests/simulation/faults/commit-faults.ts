import { DatabaseError } from 'pg';
import type { Pool, PoolClient } from 'pg';

export type CommitFault =
  /** The server dies before the commit: nothing is written and nothing is answered. */
  | { type: 'killed_before_commit' }
  /** The connection breaks while the commit is answered: the transaction is committed and the server does not know. */
  | { type: 'commit_unknown' }
  /** A statement fails, and the transaction with it. */
  | { type: 'statement_fails'; statement: number; code: string }
  /** The commit is delayed while other transactions go on. */
  | { type: 'commit_held' };

type Query = (...args: unknown[]) => Promise<unknown>;

class DatabaseFault extends DatabaseError {
  constructor(override readonly code: string) {
    super(`Injected fault ${code}`, 0, 'error');
  }
}

/** Injects faults between the server and PostgreSQL: an armed fault hits the next writing transaction, at a statement or at its commit. */
export class CommitFaultInjector {
  private armed: CommitFault | null = null;
  private subject: PoolClient | null = null;
  private statements = 0;
  private release: (() => void) | null = null;
  private onHeld: (() => void) | null = null;
  /** The call whose commit is held. */
  heldCall: Promise<unknown> | null = null;

  constructor(pools: readonly Pool[]) {
    for (const pool of pools) {
      pool.on('connect', (client) => {
        const query = client.query.bind(client) as unknown as Query;
        client.query = ((...args: unknown[]) => this.pass(client, query, args)) as unknown as PoolClient['query'];
      });
    }
  }

  arm(fault: CommitFault): void {
    this.armed = fault;
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

  releaseCommit(): void {
    this.release?.();
    this.release = null;
  }

  /** Releases a held commit and waits for its call. */
  async settle(): Promise<void> {
    this.releaseCommit();
    await this.heldCall;
    this.heldCall = null;
  }

  private pass(client: PoolClient, query: Query, args: unknown[]): unknown {
    const { armed } = this;
    return armed ? this.meet(armed, client, query, args) : query(...args);
  }

  private async meet(armed: CommitFault, client: PoolClient, query: Query, args: unknown[]): Promise<unknown> {
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
        await this.hold();
        return query(...args);
    }
  }

  private async hold(): Promise<void> {
    const released = new Promise<void>((resolve) => {
      this.release = resolve;
    });
    this.onHeld?.();
    await released;
  }
}
