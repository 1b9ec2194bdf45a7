import type { FastifyInstance, InjectOptions, LightMyRequestResponse } from 'fastify';
import type { Role } from '#domain/staff/roles.ts';
import { buildApp } from '#server/app.ts';
import type { AppOptions } from '#server/app.ts';
import { readConfig } from '#server/config.ts';
import { openDatabase } from '#server/db/database.ts';
import type { Database } from '#server/db/database.ts';
import { noteHome } from '#server/db/home-cluster.ts';
import { migrate } from '#server/db/migrate.ts';
import { users } from '#server/db/schema/access.ts';
import { clinics } from '#server/db/schema/clinics.ts';
import { inTransaction } from '#server/db/transaction.ts';
import { createClinic } from '#server/modules/clinics/service.ts';
import { argon2Passwords } from '#server/modules/users/passwords.ts';
import type { Passwords } from '#server/modules/users/passwords.ts';
import { demoAccounts } from '#server/seed/demo-accounts.ts';
import { seedDemoClinic } from '#server/seed/demo-clinic.ts';
import { freshDatabase, migratedDatabase } from './database.ts';
import type { Template } from './database.ts';
import { seededRandom } from './random.ts';
import { unique } from './unique.ts';

/** Argon2id at a low cost, so that tests stay fast. */
export const cheapPasswords = argon2Passwords({ memoryKib: 64, passes: 1 });

export interface TestServer {
  app: FastifyInstance;
  database: Database;
  connectionString: string;
  clinicId: number;
  /** Secret that signs the tokens of this server. */
  secret: Uint8Array;
  /** Signs in a user with this role, created if necessary, and returns the bearer token. */
  login(role: Role, options?: { clinicId?: number }): Promise<string>;
  /** Creates another, empty clinic in the same database, and returns its id. */
  addClinic(): Promise<number>;
  close(): Promise<void>;
}

export interface TestServerOptions {
  /** Starts with the demo clinic instead of an empty one. */
  demo?: boolean;
  /** The server's clock; a number is a clock that stands still. */
  now?: number | (() => number);
  appFolder?: string;
  logger?: AppOptions['logger'];
  patience?: AppOptions['patience'];
  tls?: AppOptions['tls'];
  passwords?: Passwords;
  fetchPicture?: AppOptions['fetchPicture'];
  freeSpace?: AppOptions['freeSpace'];
  /** Environment variables in addition to `DEMO`. */
  environment?: NodeJS.ProcessEnv;
  /** Connection string of an empty database that the caller drops; otherwise the server creates and drops its own. */
  databaseUrl?: string;
}

const addDemo = (database: Database, options: Parameters<typeof seedDemoClinic>[1]): Promise<number> =>
  inTransaction(database.$client, (sql) => seedDemoClinic(sql, options));

/** The demo clinic of this hour: to make one takes a second. */
const usualDemo: Template = {
  name: 'usual_demo',
  fill: async (connectionString) => {
    await migrate(connectionString);
    const database = openDatabase(connectionString);
    const { timeZone } = readConfig({ DEMO: '1' });
    await addDemo(database, { nowMs: Date.now(), timeZone, language: 'en', passwords: cheapPasswords });
    await database.$client.end();
  },
};

/** Starts a server for requests by `app.inject`, with its own database. */
export async function startTestServer({
  demo = false,
  now = Date.now,
  appFolder,
  logger,
  patience,
  tls,
  environment,
  databaseUrl,
  passwords = cheapPasswords,
  fetchPicture,
  freeSpace,
}: TestServerOptions = {}): Promise<TestServer> {
  // What the demo clinic has depends on when it is made, and in what language.
  const isUsualDemo = demo && now === Date.now && !environment && passwords === cheapPasswords;
  const { connectionString, drop } = databaseUrl
    ? await migratedDatabase(databaseUrl)
    : await freshDatabase(isUsualDemo ? usualDemo : undefined);
  const database = openDatabase(connectionString);
  // Its database is a copy of a template, which a start would take for data that have moved.
  await noteHome(database.$client);
  const clock = typeof now === 'number' ? () => now : now;
  const config = readConfig({
    DEMO: demo ? '1' : '0',
    CLINIC_LANGUAGE: 'en',
    // Tests send in a minute what people send in a day.
    REQUEST_LIMITS: '0',
    ...environment,
  });
  const secret = seededRandom(1, unique('secret')).bytes(32);
  const app = await buildApp({
    database,
    config,
    clock,
    secret,
    passwords,
    ...(fetchPicture && { fetchPicture }),
    ...(freeSpace && { freeSpace }),
    ...(appFolder && { appFolder }),
    ...(logger && { logger }),
    ...(patience && { patience }),
    ...(tls && { tls }),
  });
  await app.ready();
  const inject = app.inject.bind(app);
  app.inject = (async (request: InjectOptions) => agreed(await inject(request))) as typeof app.inject;

  const addClinic = (): Promise<number> =>
    inTransaction(database.$client, (sql) =>
      createClinic(sql, { settings: { time_zone: config.timeZone }, createdAt: clock() }),
    );
  const clinicOf = async (): Promise<number> => {
    if (!demo) return addClinic();
    if (isUsualDemo && !databaseUrl) return (await database.select({ id: clinics.id }).from(clinics))[0]!.id;
    return addDemo(database, { nowMs: clock(), timeZone: config.timeZone, language: config.language, passwords });
  };
  const clinicId = await clinicOf();

  return {
    app,
    database,
    connectionString,
    clinicId,
    secret,
    addClinic,
    async login(role, options = {}) {
      const account = demo && !options.clinicId ? demoAccounts.find((known) => known.role === role) : undefined;
      const credentials =
        account ?? (await addUser(database, { clinicId: options.clinicId ?? clinicId, role, at: clock() }));
      const reply = await app.inject({
        method: 'POST',
        url: '/api/users/login',
        payload: { email: credentials.email, password: credentials.password },
      });
      return reply.json<{ data: { accessToken: string } }>().data.accessToken;
    },
    async close() {
      await app.close();
      await database.$client.end();
      await drop();
    },
  };
}

/** Returns a reply whose body says what its status says: every client of the API reads one or the other. */
function agreed(reply: LightMyRequestResponse): LightMyRequestResponse {
  const [, said] = /^\{"success":(true|false)/.exec(reply.body) ?? [];
  if (said !== undefined && (said === 'true') !== reply.statusCode < 400)
    throw new Error(`A reply with ${reply.statusCode} says success: ${said}`);
  return reply;
}

export interface NewUser {
  clinicId: number;
  role: Role;
  at: number;
  email?: string;
  password?: string;
}

/** Creates a user of the clinic, and returns the credentials. */
export async function addUser(
  database: Database,
  { clinicId, role, at, email = `${unique(role)}@clinic.test`, password = 'a long enough password' }: NewUser,
): Promise<{ id: number; email: string; password: string }> {
  const passwordHash = await cheapPasswords.hash(password);
  const [user] = await database
    .insert(users)
    .values({ clinicId, name: role, email, passwordHash, role, createdAt: at, updatedAt: at })
    .returning({ id: users.id });
  return { id: user!.id, email, password };
}
