import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Client } from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { clinicRole } from '#server/db/clinic-role.ts';
import { startEmbeddedPostgres } from '#server/db/embedded/embedded-postgres.ts';
import type { EmbeddedPostgres } from '#server/db/embedded/embedded-postgres.ts';
import { programRole } from '#server/db/embedded/roles.ts';
import { migrate } from '#server/db/migrate.ts';
import { projectRoot } from '#server/project-root.ts';
import { asSuperuser } from '#tests/support/superuser.ts';

let folder: string;
let postgres: EmbeddedPostgres;
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'dental-counter-roles-'));
  postgres = await startEmbeddedPostgres({ dataDir: folder, settings: { fsync: 'off' } });
});
afterAll(async () => {
  await postgres.stop();
  await rm(folder, { recursive: true });
});

const administrator = (...statements: string[]) =>
  asSuperuser(postgres.connectionString, async (client) => {
    for (const statement of statements) await client.query(statement);
  });
const urlOf = (role: string) =>
  postgres.connectionString.replace(`//${programRole}@`, `//${role}@`).replace(/@\/[^?]+/, `@/of_${role}`);

test('a role that may create roles, as a managed service gives, creates the second role and changes to it', async () => {
  await administrator(
    `drop role ${clinicRole}`,
    'create role managed login createrole createdb nosuperuser',
    'create database of_managed owner managed',
  );
  await migrate(urlOf('managed'));
  await migrate(urlOf('managed'));
});

test('a role that may not change to the second role is told the statement that lets it', async () => {
  await administrator('create role "Bound" login', 'create database "of_Bound" owner "Bound"');
  await administrator(`grant ${clinicRole} to "Bound" with admin false, set false`);
  const refused = await migrate(urlOf('Bound')).then(
    () => '',
    (error: Error) => error.message,
  );
  expect(refused).toContain('may not change to it');
  const [statement] = /grant dental_counter_clinic to [^;]+/.exec(refused)!;
  await administrator(statement);
  await migrate(urlOf('Bound'));
});

test('the documented statements prepare roles and database, also by an administrator who is no superuser', async () => {
  const page = await readFile(path.join(projectRoot, 'docs/operating.md'), 'utf8');
  const block = /```sql\n(create role clinic login[\s\S]*?)```/.exec(page)![1]!;
  await administrator(
    'drop database of_managed',
    'drop database "of_Bound"',
    `drop role ${clinicRole}`,
    'create role appointed login createrole createdb nosuperuser',
  );
  const client = new Client(urlOf('appointed').replace('/of_appointed', '/postgres'));
  await client.connect();
  try {
    const statements = block.split('\n').map((line) => line.replace(/--.*$/, '').trim());
    for (const statement of statements.filter((line) => line !== '')) await client.query(statement);
  } finally {
    await client.end();
  }
  await migrate(urlOf('clinic').replace('/of_clinic', '/clinic'));
});
