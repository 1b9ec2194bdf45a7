import type { FastifyInstance } from 'fastify';
import { buildApp } from '#server/app.ts';
import { readConfig } from '#server/config.ts';
import { openDatabase } from '#server/db/database.ts';
import type { Database } from '#server/db/database.ts';
import type { Passwords } from '#server/modules/users/passwords.ts';
import { CommitFaultInjector } from '../faults/commit-faults.ts';
import { seededRandom } from '#tests/support/random.ts';

const serverCount = 4;

/** The server under test: several apps, each with its own memory and connections, on one database. Each history is a clinic of its own. */
export interface Cluster {
  /** A history with one server uses the first app. */
  apps: readonly FastifyInstance[];
  /** The connections of each app. */
  databases: readonly Database[];
  /** The secret of all apps. */
  secret: Uint8Array;
  /** Returns the index of the app that runs a transaction. */
  serverOf(sql: object): number;
  commitFaults: CommitFaultInjector;
  /** Sets the clock of all apps. */
  setClock(now: () => number): void;
  /** Runs a statement on a connection without faults. */
  query<T>(text: string, values?: unknown[]): Promise<T[]>;
  close(): Promise<void>;
}

/** Sign-in is not under test, and a real password hash would take most of the time. */
const plainPasswords: Passwords = {
  hash: (password) => Promise.resolve(password),
  matches: (passwordHash, password) => Promise.resolve(passwordHash === password),
};

/** The histories repeat the same few statements on similar clinics, so each statement is planned once. */
const planOnce = `&options=${encodeURIComponent('-c plan_cache_mode=force_generic_plan')}`;

export async function openCluster(databaseAddress: string): Promise<Cluster> {
  const connectionString = databaseAddress + planOnce;
  const databases = Array.from({ length: serverCount }, () => openDatabase(connectionString));
  const holders = new WeakMap<object, number>();
  for (const [server, { $client }] of databases.entries())
    $client.on('connect', (client) => holders.set(client, server));
  const observer = openDatabase(connectionString);
  const commitFaults = new CommitFaultInjector(databases.map(({ $client }) => $client));
  const statementNames = new Map<string, string>();
  let now = () => 0;
  const shared = {
    config: { ...readConfig({ DEMO: '0' }), sessionMs: 30 * 86_400_000 },
    clock: () => now(),
    secret: seededRandom(1, 'secret').bytes(32),
    passwords: plainPasswords,
  };
  const apps = await Promise.all(databases.map((database) => buildApp({ ...shared, database })));
  await Promise.all(apps.map((app) => app.ready()));
  return {
    apps,
    databases,
    secret: shared.secret,
    // A transaction's prototype is its connection.
    serverOf: (sql) => holders.get(Object.getPrototypeOf(sql) as object)!,
    commitFaults,
    setClock: (clock) => {
      now = clock;
    },
    query: async <T>(text: string, values: unknown[] = []) => {
      // PostgreSQL plans a named statement once.
      const name = statementNames.get(text) ?? `observer ${statementNames.size}`;
      statementNames.set(text, name);
      return (await observer.$client.query({ name, text, values })).rows as T[];
    },
    close: async () => {
      commitFaults.releaseCommit();
      await Promise.all(apps.map((app) => app.close()));
      await Promise.all(databases.map(({ $client }) => $client.end()));
      await observer.$client.end();
    },
  };
}
