import { Client } from 'pg';
import { describe, expect, inject, test } from 'vitest';
import { freshDatabase } from '#tests/support/database.ts';

async function query(connectionString: string, sql: string): Promise<unknown[]> {
  const client = new Client(connectionString);
  await client.connect();
  return client
    .query(sql)
    .then(({ rows }) => rows)
    .finally(() => client.end());
}

describe('a fresh database', () => {
  test('is separate from every other, even when many are created at once', async () => {
    const databases = await Promise.all(Array.from({ length: 6 }, freshDatabase));
    await Promise.all(
      databases.map(({ connectionString }, index) =>
        query(connectionString, `create table own as select ${index} as index`),
      ),
    );
    const found = await Promise.all(
      databases.map(({ connectionString }) => query(connectionString, 'select index from own')),
    );
    expect(found).toEqual(databases.map((_, index) => [{ index }]));
    await Promise.all(databases.map(({ drop }) => drop()));
  });

  test('can be dropped while a connection is open', async () => {
    const { connectionString, drop } = await freshDatabase();
    const left = new Client(connectionString);
    left.on('error', () => {});
    await left.connect();
    await drop();
    const name = /@\/(\w+)/.exec(connectionString)?.[1];
    expect(await query(inject('postgres'), `select from pg_database where datname = '${name}'`)).toEqual([]);
  });
});
