/**
 * Runs the unchanged server with the benchmark's pages in place of the app. Routes are added for the rivals: plain
 * bookings, one by one and as RxDB pushes them, and RxDB documents that are only stored; and one that replies at once, for
 * the lower bound of sending.
 */
import path from 'node:path';
import { buildApp } from '#server/app.ts';
import { readConfig } from '#server/config.ts';
import { openDatabase } from '#server/db/database.ts';
import { migrate } from '#server/db/migrate.ts';
import { inTransaction } from '#server/db/transaction.ts';
import { ensureClinic } from '#server/first-start.ts';
import { argon2Passwords } from '#server/modules/users/passwords.ts';
import { projectRoot } from '#server/project-root.ts';
import { secretInDatabase } from '#server/token-secret.ts';
import { book, bookAll, bookingsPool, createBookings } from './bookings.ts';
import type { Booking } from './bookings.ts';

const config = readConfig({ ...process.env, REQUEST_LIMITS: '0' });
await migrate(config.databaseUrl!);
const database = openDatabase(config.databaseUrl!);
const ports = {
  database,
  config,
  clock: Date.now,
  secret: await secretInDatabase(database.$client),
  passwords: argon2Passwords(),
};
await ensureClinic(ports);
const pool = database.$client;
await pool.query(
  'create table if not exists rxdb_documents (id uuid primary key, document jsonb not null, updated_at timestamptz not null default now())',
);

const bookings = bookingsPool(config.databaseUrl!);
await createBookings(bookings);

const app = await buildApp({ ...ports, appFolder: path.join(projectRoot, 'dist/bench/pages') });

app.post<{ Body: Booking }>('/bookings', { bodyLimit: 16_777_216 }, async ({ body }) => {
  await book(bookings, body);
  return { success: true };
});

interface PushedRow {
  newDocumentState: Booking;
}

/** Books each push in one transaction. The reply lists conflicts, as RxDB requires; this benchmark has none. */
app.post<{ Body: PushedRow[] }>('/rxdb/bookings', { bodyLimit: 16_777_216 }, async ({ body }) => {
  await bookAll(
    bookings,
    body.map(({ newDocumentState }) => newDocumentState),
  );
  return [];
});

/** Stores each push in one transaction. */
app.post<{ Body: PushedRow[] }>('/rxdb/documents', { bodyLimit: 16_777_216 }, async ({ body }) => {
  const documents = body.map(({ newDocumentState }) => newDocumentState);
  await inTransaction(pool, (sql) =>
    sql.query({
      name: 'rxdb push',
      text: `insert into rxdb_documents (id, document) select (d ->> 'op_id')::uuid, d from jsonb_array_elements($1::jsonb) d on conflict do nothing`,
      values: [JSON.stringify(documents)],
    }),
  );
  return [];
});

app.addContentTypeParser(
  'application/octet-stream',
  { parseAs: 'buffer', bodyLimit: 16_777_216 },
  (_request, body, done) => done(null, body),
);
app.post('/limits/answer', { bodyLimit: 16_777_216 }, async () => ({ success: true }));

await app.listen({ host: config.host, port: config.port });
