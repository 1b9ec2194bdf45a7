import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import type { Config } from './config.ts';
import type { Database } from './db/database.ts';
import type { Passwords } from './modules/users/passwords.ts';

/** What the modules need from outside. Tests give their own clock, cheap passwords and a database of their own. */
export interface Deps {
  database: Database;
  config: Config;
  /** Milliseconds since 1970. */
  clock: () => number;
  /** 256 bits that sign session tokens. */
  secret: Uint8Array;
  passwords: Passwords;
}

/** What each module's `routes.ts` makes of the dependencies: a plugin whose paths are relative to `/api`. */
export type Routes = (deps: Deps) => FastifyPluginAsyncZod;
