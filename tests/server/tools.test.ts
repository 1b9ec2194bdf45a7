import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { TestDevice } from '../support/device.ts';
import { serverProgram } from '../support/main-process.ts';
import { startTestServer } from '../support/server.ts';
import type { TestServer } from '../support/server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());

/** Runs the tool as npm does, on the database of a server that is running. */
async function tool(...words: string[]): Promise<{ stdout: string; stderr: string }> {
  const env = { ...process.env, DATABASE_URL: server.connectionString, CLINIC_TIME_ZONE: 'Atlantic/Canary' };
  return promisify(execFile)(process.execPath, [...serverProgram('tools'), ...words], { env }).catch(
    (failed: { stdout: string; stderr: string }) => failed,
  );
}

test('`clinic add` creates an empty clinic whose administrator signs in with the password that it shows once', async () => {
  const { stdout } = await tool('clinic', 'add', ' Clínica Sur ', 'Ana@Sur.test');
  const [, email, password] = /as (\S+) with the password (\S{16}) \(shown this once\)/.exec(stdout)!;
  expect(email).toBe('ana@sur.test');
  const login = await server.app.inject({ method: 'POST', url: '/api/users/login', payload: { email, password } });
  const { accessToken } = login.json<{ data: { accessToken: string } }>().data;
  const ask = async (url: string) =>
    (await server.app.inject({ url, headers: { authorization: `Bearer ${accessToken}` } })).json();
  expect(await ask('/api/auth/me')).toMatchObject({ data: { role: 'admin', name: 'Administrator' } });
  expect(await ask('/api/settings')).toMatchObject({
    data: { practice_name: 'Clínica Sur', time_zone: 'Atlantic/Canary' },
  });
  expect(await ask('/api/stock')).toMatchObject({ pagination: { total: 0 } });

  const { rows } = await server.database.$client.query('select name, password_hash from users');
  expect(JSON.stringify(rows)).not.toContain(password);
  const { stdout: list } = await tool('clinic', 'list');
  expect(
    list
      .trim()
      .split('\n')
      .map((row) => row.split('\t')),
  ).toEqual([
    [String(server.clinicId), expect.any(String), expect.stringMatching(/^since \d{4}-/), '0 can sign in'],
    [expect.any(String), 'Clínica Sur', expect.stringMatching(/^since \d{4}-/), '1 can sign in'],
  ]);
});

test('refuses an invalid clinic with the reason, and an unknown command with the usage', async () => {
  const before = await server.database.$client.query('select count(*) from clinics');
  expect((await tool('clinic', 'add', ' ', 'nobody')).stderr.trim().split('\n')).toEqual([
    'This field is required',
    'Invalid email format',
  ]);
  expect((await server.database.$client.query('select count(*) from clinics')).rows).toEqual(before.rows);
  expect((await tool('clinic', 'remove', 'x')).stderr).toContain('npm run clinic -- add NAME EMAIL');
});

test('`verify` finds the chains whole, and fails for a head that none has', async () => {
  const { stdout } = await tool('verify');
  expect(stdout).toContain(
    'Every chain of fiscal records is whole, and fits documents, payments, Z reports and the stored answers.',
  );
  const { stderr } = await tool('verify', 'A1', '1', '0'.repeat(16));
  expect(stderr).toContain('No chain A1 has the printed record 1.');
});

test('`verify` settles in data that came from another cluster, and says so once', async () => {
  await server.database.$client.query(`update home_cluster set system_identifier = '1'`);
  const settled = 'Their transactions have been numbered anew';
  expect((await tool('verify')).stdout).toContain(settled);
  expect((await tool('verify')).stdout).not.toContain(settled);
});

test('`verify` names a treatment on which more counts as paid than was paid', async () => {
  const device = await TestDevice.enrol(server);
  const created = device.create();
  expect(await device.send(created)).toMatchObject([{ status: 'applied' }]);
  await server.database.$client.query('update orders set paid_minor = 1');
  const { stderr } = await tool('verify');
  expect(stderr).toContain(`${created.payload.number}: another amount counts as paid than was paid`);
});

test('no name of a clinic moves the cursor of the terminal, changes its colours or begins a line', async () => {
  const name = 'Sol\u001B[2J\u001B[31m\nroot\tsince 1970-01-01\u202E';
  await server.database.$client.query(`update clinics set name = $1 where id = $2`, [name, server.clinicId]);
  await server.database.$client.query(
    `update settings set data = jsonb_set(data, '{practice_name}', to_jsonb($1::text)) where clinic_id = $2`,
    [name, server.clinicId],
  );
  const { stdout } = await tool('clinic', 'list');
  const [line] = stdout.split('\n').filter((one) => one.startsWith(`${server.clinicId}\t`));
  expect(line).toContain('Sol\uFFFD[2J\uFFFD[31m\uFFFDroot\uFFFDsince 1970-01-01\uFFFD\tsince');
  expect(stdout.replaceAll(/[\n\t]/g, '')).not.toMatch(/[\p{Cc}\p{Cf}]/u);
});
