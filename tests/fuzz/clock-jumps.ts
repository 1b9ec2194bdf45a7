/** A process on the clinic's database whose clock jumps by days and years, and is right again in the end. */
import { buildApp } from '#server/app.ts';
import { readConfig } from '#server/config.ts';
import type { Database } from '#server/db/database.ts';
import { eraseOutlived } from '#server/modules/patients/sweep.ts';
import { sweepUploads } from '#server/modules/uploads/sweep.ts';
import { TestDevice } from '../support/device.ts';
import { seededRandom } from '../support/random.ts';
import { addUser, cheapPasswords } from '../support/server.ts';
import type { TestServer } from '../support/server.ts';
import { newId } from '../support/unique.ts';

const dayMs = 86_400_000;
const jumps = 8;

interface Attacked {
  database: Database;
  clinicId: number;
}

/** Works while the clock jumps. Returns what is wrong once it is right again. */
export async function clockJumps({ database, clinicId }: Attacked, seed: number): Promise<string[]> {
  const random = seededRandom(seed, 'clock jumps');
  let aheadMs = 0;
  const clock = () => Date.now() + aheadMs;
  const ports = { database, clock, secret: random.bytes(32), passwords: cheapPasswords };
  const app = await buildApp({ ...ports, config: readConfig({ DEMO: '0', REQUEST_LIMITS: '1' }) });
  await app.ready();
  const faults: string[] = [];
  const call = async (method: 'POST' | 'PUT', url: string, payload: object, token?: string) =>
    app.inject({ method, url, payload, ...(token && { headers: { authorization: `Bearer ${token}` } }) });
  const signIn = async ({ email }: { email: string }, password: string) => {
    const reply = await call('POST', '/api/users/login', { email, password });
    return {
      status: reply.statusCode,
      token: reply.json<{ data?: { accessToken: string } }>().data?.accessToken ?? '',
    };
  };
  const person = () => addUser(database, { clinicId, role: 'manager', at: Date.now() });
  const login = async () => {
    const who = await person();
    return (await signIn(who, who.password)).token;
  };
  /** What tablets need of a server. Each enrolment is of another person. */
  const desk = { app, login } as unknown as TestServer;
  const count = async (sql: string) =>
    Number((await database.$client.query<{ count: string }>(sql, [clinicId])).rows[0]!.count);
  const kept = async () => [
    await count('select count(*) from patients where clinic_id = $1 and erased_at is null'),
    await count('select count(*) from uploads where clinic_id = $1'),
  ];
  try {
    const guessed = await person();
    const device = await TestDevice.enrol(desk);
    const id = newId();
    await call('POST', '/api/patients', { id, name: 'Zenobia' }, device.token);
    const before = await kept();
    const begun: string[] = [];
    for (let jump = 0; jump < jumps; jump += 1) {
      aheadMs = random.between(1, 2000) * dayMs;
      // The devices' own clocks are right, and what they do is written down at the time of this server.
      const other = await TestDevice.enrol(desk);
      begun.push(other.token);
      for (let guess = random.between(0, 8); guess > 0; guess -= 1) await signIn(guessed, 'wrong');
      await other.send(other.create());
      await other.pull(undefined, 0);
      await call('PUT', `/api/patients/${id}`, { name: `Zenobia ${jump}`, phone: '' }, other.token);
      const nowMs = clock();
      if ((await eraseOutlived(database.$client, { nowMs })) > 0)
        faults.push(`a clock ${aheadMs} ms ahead erases patients`);
      await sweepUploads({ database, clock });
    }
    aheadMs = 0;
    if (JSON.stringify(await kept()) !== JSON.stringify(before)) faults.push('patients or uploads have gone');
    if ((await signIn(guessed, guessed.password)).status !== 200) faults.push('wrong passwords keep somebody out');
    for (const token of begun) {
      const { statusCode } = await app.inject({ url: '/api/auth/me', headers: { authorization: `Bearer ${token}` } });
      if (statusCode !== 401) faults.push('a session of a time to come is open');
    }
    await call('PUT', `/api/patients/${id}`, { name: 'Zenobia Quintana', phone: '' }, device.token);
    const { rows } = await database.$client.query<{ name: string }>('select name from patients where id = $1', [id]);
    if (rows[0]?.name !== 'Zenobia Quintana') faults.push(`a patient stays ${rows[0]?.name}`);
    await device.pull(undefined, 0);
    const ahead = await count(
      `select count(*) from devices where clinic_id = $1 and greatest(cleared_at, last_seen_at) > '${new Date(Date.now() + dayMs).toISOString()}'`,
    );
    if (ahead > 0) faults.push(`${ahead} devices have reported at a time to come`);
    const last = await TestDevice.enrol(desk);
    const [sold] = await last.send(last.create());
    if (sold?.status !== 'applied') faults.push(`a new tablet does not sell: ${JSON.stringify(sold)}`);
  } finally {
    await app.close();
  }
  return faults;
}
