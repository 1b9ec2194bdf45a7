import type { Pool, PoolClient } from 'pg';
import type { Database } from '#server/db/database.ts';
import { FiscalSender } from '#server/modules/fiscal/sender.ts';
import type { SenderPorts } from '#server/modules/fiscal/sender.ts';

interface SenderParts extends Omit<SenderPorts, 'agency'> {
  /** Sends a message over the simulated network. */
  send: (from: SenderProcess, message: string, answer: Answer) => void;
  /** Called at every await; the process may `die`. */
  onAwait: (from: SenderProcess, point: string) => void;
  onFault: (error: unknown) => void;
}

/** What becomes of a call to the agency: its answer, or an error. */
export type Answer = (answered: string | Error) => Promise<void>;

type Query = Parameters<PoolClient['query']>[0];

/**
 * A server process's sender of fiscal records: the real one, which can die at any await. Its calls take virtual time, so
 * it waits for them between two events.
 */
export class SenderProcess {
  isAlive = true;
  /** True between the beginning of a look and its end. */
  isLooking = false;
  private readonly sender: FiscalSender;
  /** The connections in use, which end with the process. */
  private readonly open = new Set<PoolClient>();
  private readonly pool: Pool;
  /** Ends the current event: the look is over, waits for the agency, or has died. */
  private rest: () => void = () => undefined;

  constructor(private readonly parts: SenderParts) {
    this.pool = parts.database.$client;
    const database = { $client: this.mortalPool() } as unknown as Database;
    const agency = { call: (message: string) => this.call(message) };
    this.sender = new FiscalSender({ ...parts, database, agency }, parts.onFault);
  }

  /** Resolves when the look is over or waits for the agency. */
  look(): Promise<void> {
    this.isLooking = true;
    return this.untilRest(() => {
      void this.sender.look().then(() => {
        this.isLooking = false;
        this.rest();
      });
    });
  }

  die(): void {
    this.isAlive = false;
    this.rest();
  }

  /** Ends what the process held, as PostgreSQL does when a connection breaks. */
  async bury(): Promise<void> {
    for (const client of this.open) {
      await client.query('rollback');
      client.release();
    }
    this.open.clear();
  }

  private async untilRest(go: () => void): Promise<void> {
    await new Promise<void>((resolve) => {
      this.rest = resolve;
      go();
    });
    if (!this.isAlive) await this.bury();
  }

  private call(message: string): Promise<string> {
    return new Promise((resolve, reject) => {
      if (!this.reach('call')) return;
      this.parts.send(this, message, (answered) =>
        this.untilRest(() => {
          if (!this.reach('answer')) return;
          if (answered instanceof Error) reject(answered);
          else resolve(answered);
        }),
      );
      this.rest();
    });
  }

  /** Marks an await. @returns whether the process survives it */
  private reach(point: string): boolean {
    if (this.isAlive) this.parts.onAwait(this, point);
    if (!this.isAlive) this.rest();
    return this.isAlive;
  }

  /** Runs a statement. A process that dies around it never hears of its end. */
  private async survive<T>(query: Query, go: () => Promise<T>): Promise<T> {
    const point = typeof query === 'string' ? query : ((query as { name?: string }).name ?? 'statement');
    if (!this.reach(`before ${point}`)) return forever();
    const result = await go();
    return this.reach(`after ${point}`) ? result : forever();
  }

  private mortalPool(): unknown {
    const { pool } = this;
    return {
      query: (query: Query) => this.survive(query, () => pool.query(query)),
      connect: async () => {
        const client = await pool.connect();
        this.open.add(client);
        return {
          query: (query: Query) => this.survive(query, () => client.query(query)),
          connection: client.connection,
          on: () => undefined,
          off: () => undefined,
          release: (isBroken?: boolean) => {
            if (this.open.delete(client)) client.release(isBroken);
          },
        };
      },
    };
  }
}

const forever = <T>(): Promise<T> => new Promise<T>(() => undefined);
