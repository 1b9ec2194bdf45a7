/** Two server processes on one database send for one taxpayer, and one of them is killed during a call. */
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { businessDay } from '#domain/business-day.ts';
import type { FiscalRecord } from '#domain/fiscal/record.ts';
import { verifyChain } from '#tests/support/verify-chain.ts';
import { makeCertificate } from '#tests/support/client-certificate.ts';
import { TestDevice } from '#tests/support/device.ts';
import { FiscalTill, issuerSettings } from '#tests/support/fiscal-till.ts';
import { inLongRun } from '#tests/support/long-run.ts';
import { newId } from '#tests/support/unique.ts';
import { exitOf, startMain } from '#tests/support/main-process.ts';
import type { MainProcess } from '#tests/support/main-process.ts';
import { startTestServer } from '#tests/support/server.ts';
import type { TestServer } from '#tests/support/server.ts';
import { startTaxAuthority } from '#tests/support/tax-authority.ts';
import type { TaxAuthority } from '#tests/support/tax-authority.ts';
import { sha256 } from '#tests/support/verifactu/records.ts';

/** How often one of the two is killed. The tablet sells by the one and the other in turn. */
const rounds = inLongRun(4, { otherwise: 1 });
const names = ['left', 'right'] as const;
type Name = (typeof names)[number];

/** Every process looks for records to send within this time. */
const everyLookMs = 5_500;
/** Two processes together look more often than this. */
const waitSeconds = 4;

let server: TestServer;
let authority: TaxAuthority;
let headers: { authorization: string };
let productId: number;
const running = new Map<Name, MainProcess>();

const query = async <T extends object>(text: string, values: unknown[] = []): Promise<T[]> =>
  (await server.database.$client.query<T>(text, values)).rows;

/** Starts a process whose connections bear its name. */
async function start(name: Name): Promise<void> {
  const environment = {
    PGAPPNAME: name,
    VERIFACTU_URL: authority.url,
    PRODUCER_NAME: 'Maker',
    PRODUCER_TAX_ID: 'B65410011',
  };
  running.set(name, await startMain(server, environment));
}

async function kill(name: Name): Promise<void> {
  const { child } = running.get(name)!;
  running.delete(name);
  const exit = exitOf(child);
  child.kill('SIGKILL');
  await exit;
}

beforeAll(async () => {
  server = await startTestServer();
  authority = await startTaxAuthority({ clock: Date.now, waitSeconds });
  authority.slowMs = 500;
  headers = { authorization: `Bearer ${await server.login('admin')}` };
  const set = async (method: 'PUT' | 'POST', url: string, payload: object) => {
    const reply = await server.app.inject({ method, url: `/api${url}`, headers, payload });
    expect(reply.json(), url).toMatchObject({ success: true });
    return reply.json();
  };
  await set('PUT', '/settings', {
    ...issuerSettings,
    verifactu_since: businessDay(Date.now(), 'Europe/Madrid'),
  });
  const passphrase = 'of the test';
  const pkcs12 = makeCertificate({ passphrase }).pkcs12.toString('base64');
  await set('PUT', '/fiscal/certificate', { pkcs12, passphrase });
  productId = (await set('POST', '/products', { name: 'Dental cleaning', price: 60 })).data.id;
});
afterAll(async () => {
  for (const name of running.keys()) await kill(name);
  await authority.close();
  await server.close();
});

/** Writes by a process, or by the other one when that is dead: the request is the same, and takes effect once. */
async function write<T>(first: Name, url: string, body: object, sentBy = headers): Promise<T> {
  const key = newId();
  for (let attempt = names.indexOf(first); ; attempt++) {
    if (running.size === 0) throw new Error('Both processes are dead');
    const at = running.get(names[attempt % 2]!);
    if (!at) continue;
    try {
      const reply = await fetch(`${at.url}/api${url}`, {
        method: 'POST',
        headers: { ...sentBy, 'content-type': 'application/json', 'idempotency-key': key },
        body: JSON.stringify(body),
      });
      const text = await reply.text();
      if (!reply.ok) throw new Error(`${url}: ${reply.status} ${text}`);
      return JSON.parse(text) as T;
    } catch (error) {
      // How `fetch` says that the process is gone.
      if (!(error instanceof TypeError)) throw error;
      await sleep(20);
    }
  }
}

/** Sells over REST, so that the record is of the server's own chain. */
async function sell(by: Name): Promise<void> {
  const order_id = newId();
  await write(by, '/orders', { order_id, items: [{ line_id: newId(), product_id: productId, quantity: 1 }] });
  await write(by, `/orders/${order_id}/payments`, { payment_method: 'card', amount: 60 });
}

/** Returns a function with which a tablet sells. */
async function tabletSells(): Promise<(by: Name) => Promise<void>> {
  const till = new FiscalTill(await TestDevice.enrol(server));
  const { device } = till;
  return async (by) => {
    const { created, paid, recorded } = till.sale();
    const operations = device.signed([created, paid, recorded]);
    const reply = await write(by, '/sync/batch', { operations }, device.headers);
    expect(reply).toMatchObject({ data: { results: operations.map(() => ({ status: 'applied' })) } });
  };
}

/** Returns the processes that hold the advisory lock of a sender. */
const holders = async (): Promise<Name[]> => {
  const rows = await query<{ name: Name }>(
    `select a.application_name as name from pg_locks l join pg_stat_activity a using (pid)
     where l.locktype = 'advisory' and l.granted and a.datname = current_database()
       and l.classid::bigint = hashtext('fiscal sender')::bigint & 4294967295`,
  );
  return rows.map(({ name }) => name);
};

/** Kills the process that makes the next call, when the agency has the records and has not answered. */
const killInCall = (): Promise<Name> =>
  new Promise((resolve, reject) => {
    authority.onKept = async () => {
      authority.onKept = () => undefined;
      const [holder] = await holders();
      if (!holder) return reject(new Error('No process holds the lock during a call'));
      await kill(holder);
      resolve(holder);
    };
  });

/** Stops every sender just before its call, until each process has looked; then all go on at one moment. */
async function letAllLookAtOnce(): Promise<void> {
  const gate = new Client(server.connectionString);
  await gate.connect();
  try {
    await gate.query('begin');
    await gate.query('lock table fiscal_senders in exclusive mode');
    await sleep(everyLookMs);
    await gate.query('commit');
  } finally {
    await gate.end();
  }
}

const states = () =>
  query<{ state: string; attempts: number }>('select distinct state, attempts from fiscal_sendings order by 1, 2');

test('two processes send each record of a taxpayer once, and one goes on when the other is killed during a call', async () => {
  const sellOnTablet = await tabletSells();
  let sales = 0;
  const sellOnce = async (at: Name, how: (by: Name) => Promise<void>) => {
    await how(at);
    sales += 1;
  };
  for (let round = 0; round < rounds; round++) {
    await Promise.all(names.filter((name) => !running.has(name)).map(start));
    let victim: Name | undefined;
    const killed = killInCall().then((name) => (victim = name));
    const sellers = [
      { at: names[0], how: sell },
      { at: names[1], how: sell },
      { at: names[round % 2]!, how: sellOnTablet },
    ].map(async ({ at, how }) => {
      while (!victim) {
        await sellOnce(at, how);
        await sleep(150);
      }
      await sellOnce(at, how);
    });
    await Promise.all([killed, letAllLookAtOnce(), ...sellers]);
    expect(authority.faults).toEqual([]);
    expect(running.size).toBe(1);
    expect(await states()).toContainEqual({ state: 'unsent', attempts: 1 });
    // The survivor would wait for the longest time of a call; the stand-in asks for less.
    const moved = await query(
      `update fiscal_senders set next_call_at = $2::timestamptz + $1 * interval '1 second'
       where next_call_at > $2::timestamptz + interval '90 seconds' returning tax_id`,
      [waitSeconds, new Date()],
    );
    expect(moved).toHaveLength(1);
    const unsent = () => query(`select record_id from fiscal_sendings where state <> 'accepted'`);
    await expect.poll(unsent, { timeout: 15_000 }).toEqual([]);
  }
  expect(authority.faults).toEqual([]);
  const rows = await query<{ record: FiscalRecord }>('select record from fiscal_records order by sequence');
  expect(rows).toHaveLength(sales);
  const chains = new Set(rows.map(({ record }) => record.chain));
  expect(chains.size).toBe(2);
  for (const code of chains) {
    const records = rows.flatMap(({ record }) => (record.chain === code ? [record] : []));
    expect(verifyChain(records, sha256)).toEqual([]);
    const arrived = authority.records.filter(({ number }) => number.includes(`-${code}-`));
    expect(arrived.map(({ hash }) => hash)).toEqual(records.map(({ hash }) => hash));
  }
  expect(authority.records).toHaveLength(sales);
});
