import { setImmediate as turn, setTimeout as delay } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { DeviceReply } from '#domain/protocol/sync.ts';
import { addUser, cheapPasswords, startTestServer } from '#tests/support/server.ts';
import type { TestServer } from '#tests/support/server.ts';

/** The most sign-ins of unknown devices from one address that are looked at before it has to wait. */
const freeOfAddress = 50;

let nowMs: number;
let server: TestServer;
let person: { email: string; password: string };
/** Holds every hash until it is opened. */
let gate: { opened: Promise<void>; open: () => void };
let hashes: { asked: number; running: number; most: number; passwords: string[] };

beforeEach(async () => {
  nowMs = Date.parse('2026-04-01T08:00:00Z');
  hashes = { asked: 0, running: 0, most: 0, passwords: [] };
  openGate();
  server = await startTestServer({
    now: () => nowMs,
    passwords: {
      ...cheapPasswords,
      async matches(hash, password) {
        hashes.asked += 1;
        hashes.running += 1;
        hashes.passwords.push(password);
        hashes.most = Math.max(hashes.most, hashes.running);
        await gate.opened;
        const isMatch = await cheapPasswords.matches(hash, password);
        hashes.running -= 1;
        return isMatch;
      },
    },
  });
  const { email, password } = await addUser(server.database, { clinicId: server.clinicId, role: 'counter', at: nowMs });
  person = { email, password };
});
afterEach(() => server.close());

function closeGate(): void {
  let open = () => {};
  const opened = new Promise<void>((resolve) => (open = resolve));
  gate = { opened, open };
}
function openGate(): void {
  gate = { opened: Promise.resolve(), open: () => {} };
}

const signIn = async (payload: object, remoteAddress = '10.6.6.6') =>
  server.app.inject({ method: 'POST', url: '/api/users/login', remoteAddress, payload });
const status = async (payload: object, remoteAddress?: string) => (await signIn(payload, remoteAddress)).statusCode;
const guess = (n: number | string, over: object = {}) => ({
  email: `guess${n}@clinic.test`,
  password: 'wrong',
  ...over,
});
const tally = (statuses: number[]) =>
  Object.fromEntries([...new Set(statuses)].map((one) => [one, statuses.filter((each) => each === one).length]));

async function enrolledDevice(by: object = person): Promise<{ device_id: number; device_key: string }> {
  const { accessToken } = (await signIn(by, '10.0.0.1')).json<{ data: { accessToken: string } }>().data;
  const reply = await server.app.inject({
    method: 'POST',
    url: '/api/devices',
    headers: { authorization: `Bearer ${accessToken}` },
    payload: {},
  });
  const { device_id, device_key } = reply.json<{ data: DeviceReply }>().data;
  return { device_id, device_key: device_key! };
}

describe('2,000 sign-ins from one address at the same moment', () => {
  const flood = 2000;

  test('are looked at no more often than the free failures, two at once, and hold nobody else up', async () => {
    const device = await enrolledDevice();
    hashes.asked = 0;
    closeGate();
    let answered = 0;
    const replies = Array.from({ length: flood }, async (_, n) => {
      const code = await status(guess(n));
      answered += 1;
      return code;
    });
    // No hash can end, and yet nearly all are answered, and so is everybody else.
    while (answered < flood - freeOfAddress) await turn();
    expect((await server.app.inject({ url: '/api/health' })).statusCode).toBe(200);
    const held = { answeredBeforeAnyHash: answered, hashesBegun: hashes.asked };
    const mine = status({ ...person, ...device }, '10.0.0.1');
    gate.open();
    const statuses = await Promise.all(replies);
    expect(await mine).toBe(200);
    console.log(`${flood} sign-ins:`, {
      ...held,
      replies: tally(statuses),
      looked: hashes.asked - 1,
      atOnce: hashes.most,
    });
    expect(hashes.asked - 1).toBeLessThanOrEqual(freeOfAddress);
    expect(hashes.most).toBeLessThanOrEqual(2);
    expect(new Set(statuses)).toEqual(new Set([401, 503]));
  });

  test('count as one flood however often it is repeated', async () => {
    for (let wave = 0; wave < 4; wave++)
      await Promise.all(Array.from({ length: 500 }, (_, n) => status(guess(`${wave} ${n}`))));
    expect(hashes.asked).toBe(freeOfAddress);
    expect(await status(guess('last'))).toBe(429);
  });

  test('do not get a turn before a device of the clinic', async () => {
    const device = await enrolledDevice();
    hashes.passwords = [];
    closeGate();
    const strangers = Array.from({ length: 20 }, (_, n) => status(guess(n)));
    while (hashes.running < 2) await turn();
    const mine = status({ ...person, ...device });
    // Nothing shows that the request has reached the queue.
    await delay(1000);
    gate.open();
    await Promise.all([...strangers, mine]);
    expect(hashes.passwords.indexOf(person.password)).toBe(2);
  });
});

describe('a flood from ninety addresses', () => {
  const addresses = Array.from({ length: 90 }, (_, n) => `203.0.113.${n}`);
  const flood = (each: number) =>
    addresses.flatMap((address) => Array.from({ length: each }, (_, n) => status(guess(`${address} ${n}`), address)));

  test('leaves a turn at once to an address from which nothing was wrong, and a later one to every other', async () => {
    await signIn({ ...person, password: 'wrong' }, '10.0.0.2');
    await Promise.all(flood(1));
    hashes.passwords = [];
    closeGate();
    const replies = flood(5);
    while (hashes.running < 2) await turn();
    const wrongBefore = status(person, '10.0.0.2');
    const right = { ...person, password: `${person.password} ` };
    const first = status(right, '10.0.0.1');
    for (let round = 0; round < 500; round += 1) await turn();
    gate.open();
    expect(await first).toBe(401);
    expect(await wrongBefore).toBe(200);
    await Promise.all(replies);
    expect(hashes.passwords.indexOf(right.password)).toBeLessThan(8);
    expect(hashes.passwords.indexOf(person.password)).toBeLessThan(200);
  });
});

describe('a device that proves itself', () => {
  const failures = async (count: number, payload: object, address?: string) => {
    for (let n = 0; n < count; n++) await signIn(payload, address);
  };

  test('signs its users in although their address and their account have to wait', async () => {
    const device = await enrolledDevice();
    await failures(freeOfAddress, guess(0, { email: 'a@clinic.test' }), '10.0.0.1');
    for (let n = 0; n < freeOfAddress; n++) await signIn(guess(n), '10.0.0.1');
    await failures(10, { ...person, password: 'wrong' }, '10.9.9.9');
    expect(await status(person, '10.0.0.1')).toBe(429);
    expect(await status(person, '10.0.0.3')).toBe(429);
    expect(await status({ ...person, ...device }, '10.0.0.1')).toBe(200);
  });

  test('waits after failures of its own, and makes neither its address nor its account elsewhere wait', async () => {
    const device = await enrolledDevice();
    const wrong = { ...person, ...device, password: 'wrong' };
    await failures(5, wrong, '10.0.0.1');
    expect(await status({ ...person, ...device }, '10.0.0.1')).toBe(429);
    for (let n = 0; n < 60; n++) await signIn(guess(n, device), '10.0.0.1');
    expect(await status(guess('last', device), '10.0.0.1')).toBe(429);
    expect(await status(person, '10.0.0.1')).toBe(200);
  });

  test('gives whoever enrols many devices no more guesses of one account than one address has', async () => {
    const insider = await addUser(server.database, { clinicId: server.clinicId, role: 'kitchen', at: nowMs });
    const devices: object[] = [];
    for (let n = 0; n < 15; n++)
      devices.push(await enrolledDevice({ email: insider.email, password: insider.password }));
    hashes.asked = 0;
    for (const device of devices) await failures(5, { ...person, ...device, password: 'wrong' });
    expect(hashes.asked).toBe(50);
  });

  test('lets somebody in where they have signed in before, whatever an insider guessed there and elsewhere', async () => {
    const home = await enrolledDevice();
    const { email, password } = await addUser(server.database, {
      clinicId: server.clinicId,
      role: 'kitchen',
      at: nowMs,
    });
    const elsewhere: object[] = [];
    for (let n = 0; n < 11; n++) elsewhere.push(await enrolledDevice({ email, password }));
    // 50 wrong tries for others on the person's own device, and 50 for the person on devices of the insider.
    for (let n = 0; n < 60; n++) await signIn(guess(n, home), '10.0.0.1');
    for (const device of elsewhere) await failures(5, { ...person, ...device, password: 'wrong' }, '10.0.0.1');
    expect(await status({ ...person, ...elsewhere[10] }, '10.0.0.1')).toBe(429);
    expect(await status({ ...person, ...home }, '10.0.0.1')).toBe(200);
  });

  test.each([
    ['a wrong key', ({ device_id }: { device_id: number }) => ({ device_id, device_key: 'guess' })],
    [
      'another’s number',
      ({ device_id, device_key }: { device_id: number; device_key: string }) => ({
        device_id: device_id + 1,
        device_key,
      }),
    ],
    ['no key', ({ device_id }: { device_id: number }) => ({ device_id })],
  ])('is unknown with %s', async (_what, forge) => {
    const claim = forge(await enrolledDevice());
    for (let n = 0; n < freeOfAddress; n++) await signIn(guess(n, claim));
    expect(await status({ ...person, ...claim })).toBe(429);
  });
});

test('a sign-in that succeeds leaves the count of its address as it was', async () => {
  for (let n = 0; n < freeOfAddress; n++) await signIn(guess(n));
  nowMs += 1000;
  for (let n = 0; n < 3; n++) expect(await status(person)).toBe(200);
  expect(await status(guess('last'))).toBe(401);
  expect(await status(person)).toBe(429);
});
