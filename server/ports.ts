import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import type { ChangesQuery } from '#domain/protocol/operation-schemas.ts';
import type { ChangesPage } from '#domain/protocol/sync.ts';
import type { Config } from './config.ts';
import type { Session } from './context.ts';
import type { Database } from './db/database.ts';
import type { Sql } from './db/sql.ts';
import type { FetchPicture } from './modules/uploads/fetch-picture.ts';
import type { FreeSpace } from './modules/uploads/space.ts';
import type { Budgets } from './http/budgets.ts';
import type { Passwords } from './modules/users/passwords.ts';
import type { OperationRegistry } from './operations/registry.ts';

/** The server's dependencies on the outside. Tests inject their own clock, cheap passwords and a database of their own. */
export interface Ports {
  database: Database;
  config: Config;
  /** Returns milliseconds since 1970. */
  clock: () => number;
  /** 256 bits that sign session tokens. */
  secret: Uint8Array;
  passwords: Passwords;
  /** Reads PostgreSQL's clock; tests whose own clock stands elsewhere bring another. */
  databaseNow?: (sql: Sql) => Promise<number>;
  /** Fetches a picture by its https address; from the internet by default. */
  fetchPicture?: FetchPicture;
  /** Tells how much the disk of PostgreSQL has free; it looks at the disk by default. */
  freeSpace?: FreeSpace;
}

/**
 * Reads a page of the change feed for a session and records what its device reports with the request. Returns null when
 * the device has to start over.
 *
 * @param options `isChanged`: the caller knows of a change, so that the tables need not be asked first
 */
export type Pull = (
  session: Session,
  query: ChangesQuery,
  options?: { isChanged: boolean },
) => Promise<ChangesPage | null>;

/** The dependencies of routes. */
export interface RoutePorts extends Ports {
  budgets: Budgets;
  operations: OperationRegistry;
  /** Reads the change feed. The replies to batches bring it too. */
  pull: Pull;
}

/** A module's `routes.ts` exports one: it returns a plugin whose paths are relative to `/api`. */
export type Routes = (ports: RoutePorts) => FastifyPluginAsyncZod;

/** What a plugin of routes adds them to. */
export type Api = Parameters<ReturnType<Routes>>[0];
