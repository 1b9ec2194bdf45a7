import { expect, test } from 'vitest';
import { PrimaryPool } from '#server/db/pool.ts';
import { DatabaseUnavailable } from '#server/db/transaction.ts';
import { listenTo } from '#server/events/listener.ts';
import { freshDatabase } from '#tests/support/database.ts';
import { throughWays, Way } from '#tests/support/way-to-database.ts';

test('ends every connection to a server that falls silent and keeps them open', async ({ onTestFinished }) => {
  const database = await freshDatabase();
  onTestFinished(() => database.drop());
  const [first, second] = [await Way.to(database.connectionString), await Way.to(database.connectionString)];
  onTestFinished(async () => void (await Promise.all([first.close(), second.close()])));
  const patient = new PrimaryPool(throughWays(database.connectionString, [first, second]), {
    connectionTimeoutMillis: 1000,
  });
  const ask = () => patient.query('select 1 as one').then(({ rows }: { rows: unknown[] }) => rows);
  let listening = () => undefined as void;
  const isListening = () => new Promise<void>((resolve) => (listening = resolve));
  let begins = isListening();
  const listener = listenTo(patient, { news: () => undefined }, () => listening(), {
    askEveryMs: 100,
    silenceMs: 1000,
  });
  await begins;
  await Promise.all([ask(), ask(), ask()]);
  // Nothing is lost while the server answers.
  await new Promise((resolve) => setTimeout(resolve, 1500));
  expect([first.taken, second.taken]).toEqual([4, 0]);

  begins = isListening();
  first.isPoolerAlone = true;
  await expect(Promise.all([ask(), ask(), ask()])).rejects.toThrow(DatabaseUnavailable);
  await begins;
  expect(await Promise.all([ask(), ask(), ask()])).toEqual([[{ one: 1 }], [{ one: 1 }], [{ one: 1 }]]);
  await listener.close();
  await patient.end();
});
