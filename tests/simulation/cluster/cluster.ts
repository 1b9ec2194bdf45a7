/** The real server of one test process: several apps with memory and connections of their own, and one database. Each history is a clinic of its own in it. */
import { randomBytes } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import { buildApp } from '../../../server/app.ts';
import { readConfig } from '../../../server/config.ts';
import { openDatabase } from '../../../server/db/database.ts';
import type { Database } from '../../../server/db/database.ts';
import type { Passwords } from '../../../server/modules/users/passwords.ts';
import { CommitFaultInjector } from '../faults/commit-faults.ts';

const mostServers = 4;

export interface Cluster {
  /** Where a history has one server, it is the first. */
  apps: readonly FastifyInstance[];
  /** Of the first. */
  database: Database;
  /** Which of the servers holds a connection. */
  serverOf(client: unknown): number;
  commitFaults: CommitFaultInjector;
  /** The server's clock is the scheduler's. */
  setClock(now: () => number): void;
  /** Asks through a connection on which nothing is simulated. */
  ask<T>(text: string, values?: unknown[]): Promise<T[]>;
  close(): Promise<void>;
}

/** Signing in is not what is tested here, and a slow hash would take most of the time. */
const plainPasswords: Passwords = {
  hash: (password) => Promise.resolve(password),
  matches: (passwordHash, password) => Promise.resolve(passwordHash === password),
};

/** The same few statements, over and over, on clinics that look alike: planning them once is enough. */
const planOnce = `&options=${encodeURIComponent('-c plan_cache_mode=force_generic_plan')}`;

export async function openCluster(databaseAddress: string): Promise<Cluster> {
  const connectionString = databaseAddress + planOnce;
  const databases = Array.from({ length: mostServers }, () => openDatabase(connectionString));
  const holders = new WeakMap<object, number>();
  for (const [server, { $client }] of databases.entries())
    $client.on('connect', (client) => holders.set(client, server));
  const aside = openDatabase(connectionString);
  const commitFaults = new CommitFaultInjector(databases.map(({ $client }) => $client));
  const asked = new Map<string, string>();
  let now = () => 0;
  const shared = {
    config: { ...readConfig({ DEMO: '0' }), sessionMs: 30 * 86_400_000 },
    clock: () => now(),
    secret: randomBytes(32),
    passwords: plainPasswords,
  };
  const apps = await Promise.all(databases.map((database) => buildApp({ ...shared, database })));
  await Promise.all(apps.map((app) => app.ready()));
  return {
    apps,
    database: databases[0]!,
    serverOf: (client) => holders.get(client as object)!,
    commitFaults,
    setClock: (clock) => {
      now = clock;
    },
    ask: async <T>(text: string, values: unknown[] = []) => {
      // What has a name is planned once: the same is asked of each history.
      const name = asked.get(text) ?? `ask ${asked.size}`;
      asked.set(text, name);
      return (await aside.$client.query({ name, text, values })).rows as T[];
    },
    close: async () => {
      commitFaults.releaseCommit();
      await Promise.all(apps.map((app) => app.close()));
      await Promise.all(databases.map(({ $client }) => $client.end()));
      await aside.$client.end();
    },
  };
}
