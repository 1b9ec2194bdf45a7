import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test, vi } from 'vitest';
import Fastify from 'fastify';
import type { FastifyRequest } from 'fastify';
import { connect } from 'node:net';
import { PassThrough } from 'node:stream';
import { isPublic, requires } from '#server/http/access.ts';
import { refuseDeepBodies } from '#server/http/nesting.ts';
import type { Asker } from '#server/http/askers.ts';
import { ClinicTurns } from '#server/http/clinic-turns.ts';
import { shareAmongEverybody } from '#server/http/everybody.ts';
import { RequestTurns, takeTurns } from '#server/http/turns.ts';
import { eventually } from '#tests/support/eventually.ts';

/** Runs work in its turn, as a route does. */
async function run<T>(turns: ClinicTurns, clinicId: number, work: () => Promise<T>): Promise<T | null> {
  const leave = await turns.enter(clinicId);
  return leave ? work().finally(leave) : null;
}

/** Work that runs until it is ended. */
function works(turns: ClinicTurns, clinicId: number, count: number) {
  const begun: number[] = [];
  const ends: (() => void)[] = [];
  const done = Array.from({ length: count }, (_, index) =>
    run(turns, clinicId, () => {
      begun.push(index);
      return new Promise<void>((resolve) => ends.push(resolve));
    }),
  );
  return { begun, ends, done };
}

/** Lets what has ended give its turn to the next. */
async function settle(): Promise<void> {
  for (let turn = 0; turn < 3; turn++) await new Promise((resolve) => setImmediate(resolve));
}

test('a clinic runs a few at once and the others in order, while another clinic does not wait', async () => {
  const turns = new ClinicTurns({ atOnce: 3, perClinic: 2, beside: 2, waiting: 10 });
  const busy = works(turns, 1, 5);
  const other = works(turns, 2, 1);
  await settle();
  expect([busy.begun, other.begun]).toEqual([[0, 1], [0]]);
  busy.ends[1]!();
  await settle();
  expect(busy.begun).toEqual([0, 1, 2]);
  for (let index = 0; index < 5; index += 1) {
    busy.ends[index]!();
    await settle();
  }
  expect(busy.begun).toEqual([0, 1, 2, 3, 4]);
  other.ends[0]!();
  await Promise.all([...busy.done, ...other.done]);
  await expect(run(turns, 1, () => Promise.resolve('free'))).resolves.toBe('free');
});

test('work that fails gives its turn back', async () => {
  const turns = new ClinicTurns({ atOnce: 1, perClinic: 1, beside: 1, waiting: 1 });
  await expect(run(turns, 1, () => Promise.reject(new Error('no')))).rejects.toThrow('no');
  await expect(run(turns, 1, () => Promise.resolve('free'))).resolves.toBe('free');
});

test('work of a clinic beyond those that may wait is turned away', async () => {
  const turns = new ClinicTurns({ atOnce: 1, perClinic: 1, beside: 1, waiting: 1 });
  const busy = works(turns, 1, 3);
  await expect(busy.done[2]).resolves.toBe(null);
  busy.ends[0]!();
  await settle();
  busy.ends[1]!();
  await Promise.all(busy.done);
  expect(busy.begun).toEqual([0, 1]);
});

test('clinics that wait are served in turn, however much one has', async () => {
  const turns = new ClinicTurns({ atOnce: 1, perClinic: 1, beside: 1, waiting: 10 });
  const begun: number[] = [];
  const ask = (clinicId: number) =>
    run(turns, clinicId, async () => {
      begun.push(clinicId);
      await settle();
    });
  await Promise.all([ask(1), ask(1), ask(1), ask(1), ask(2), ask(3), ask(2)]);
  expect(begun).toEqual([1, 1, 2, 3, 1, 2, 1]);
});

test('people of a clinic are served in turn, each in their order, and one may fill no more than two fifths of its places', async () => {
  const turns = new ClinicTurns({ atOnce: 1, perClinic: 1, beside: 1, waiting: 10 });
  const begun: string[] = [];
  const ask = async (who: number, name: string) => {
    const leave = await turns.enter(1, { who });
    if (!leave) return `${name} is turned away`;
    begun.push(name);
    await settle();
    leave();
    return null;
  };
  const flood = Array.from({ length: 8 }, (_, index) => ask(1, `flood ${index}`));
  const clerk = [ask(2, 'sale 0'), ask(2, 'sale 1')];
  await expect(clerk[0]).resolves.toBe(null);
  const late = ask(3, 'another');
  const answers = await Promise.all([...flood, ...clerk, late]);
  expect(answers.filter(Boolean)).toEqual([5, 6, 7].map((index) => `flood ${index} is turned away`));
  expect(begun).toEqual(['flood 0', 'sale 0', 'another', 'flood 1', 'sale 1', 'flood 2', 'flood 3', 'flood 4']);
});

test('beside others a clinic runs fewer at once', async () => {
  let areOthers = false;
  const others = { areAtWork: () => areOthers, goFirst: () => false };
  const turns = new ClinicTurns({ atOnce: 3, perClinic: 2, beside: 1, waiting: 10 }, others);
  const busy = works(turns, 1, 3);
  await settle();
  expect(busy.begun).toEqual([0, 1]);
  areOthers = true;
  busy.ends[0]!();
  await settle();
  expect(busy.begun).toEqual([0, 1]);
  busy.ends[1]!();
  await settle();
  expect(busy.begun).toEqual([0, 1, 2]);
  busy.ends[2]!();
  await Promise.all(busy.done);
});

/** Somebody who waits and may go. */
function visitor() {
  let isHere = true;
  let tell = () => {};
  const asker: Asker = {
    isGone: () => !isHere,
    onGone: (told) => {
      tell = told;
      return () => (tell = () => {});
    },
  };
  const go = () => {
    isHere = false;
    tell();
  };
  return { asker, go };
}

test('who is gone waits no longer, keeps no place, and delays nothing of theirs', async () => {
  const turns = new ClinicTurns({ atOnce: 1, perClinic: 1, beside: 1, waiting: 10 });
  const busy = works(turns, 1, 1);
  await settle();
  const visitors = [visitor(), visitor(), visitor(), visitor()];
  const waiting = visitors.map(({ asker }) => turns.enter(1, { who: 7, asker }));
  expect(turns.waitingOf(1)).toBe(4);
  for (const { go } of visitors) go();
  await expect(Promise.all(waiting)).resolves.toEqual([null, null, null, null]);
  expect(turns.waitingOf(1)).toBe(0);
  await expect(turns.enter(1, { asker: visitors[0]!.asker })).resolves.toBe(null);
  const order: number[] = [];
  const ask = async (who: number) => {
    const leave = await turns.enter(1, { who });
    order.push(who);
    leave!();
  };
  const late = [8, 8, 8, 7].map(ask);
  busy.ends[0]!();
  await Promise.all(late);
  expect(order).toEqual([8, 8, 7, 8]);
});

test('who is gone in their turn gives it back like anybody', async () => {
  const turns = new ClinicTurns({ atOnce: 1, perClinic: 1, beside: 1, waiting: 1 });
  const { asker, go } = visitor();
  const leave = await turns.enter(1, { asker });
  go();
  const next = turns.enter(2);
  leave!();
  (await next)!();
  expect(turns.isBusyBeside(0)).toBe(false);
});

/** A server whose routes are held, with one lane each for what has been declared. */
async function heldServer() {
  const app = Fastify();
  const turns = new RequestTurns();
  const arrived: string[] = [];
  app.addHook('onRequest', async ({ url }) => void arrived.push(url));
  app.decorateRequest('session');
  shareAmongEverybody(app, turns);
  app.addHook('onRequest', async (request) => {
    if (request.headers['x-clinic'] === undefined) return;
    const clinicId = Number(request.headers['x-clinic']);
    (await turns.enterDoor(clinicId, request))!();
    request.session = { clinicId } as typeof request.session;
  });
  takeTurns(app, turns);
  refuseDeepBodies(app);
  const begun: string[] = [];
  const holding: (() => void)[] = [];
  const held = async (request: FastifyRequest) => {
    begun.push(`${request.method} of ${request.session?.clinicId ?? request.ip}`);
    await new Promise<void>((resolve) => holding.push(resolve));
    return 'done';
  };
  app.post('/sale', { config: requires('sync.use') }, held);
  app.get('/list', { config: requires('report.read') }, held);
  app.get('/picture', { config: isPublic }, held);
  app.get('/outside', { config: requires('settings.write') }, (request) => turns.outside(request, () => held(request)));
  const ask = (method: 'GET' | 'POST', url: string, clinicId: number, body = '{}') =>
    app.inject({
      method,
      url,
      headers: { 'x-clinic': String(clinicId), 'content-type': 'application/json' },
      ...(method === 'POST' && { payload: body }),
    });
  const look = (remoteAddress: string) => app.inject({ url: '/picture', remoteAddress });
  /** Ends what is held. */
  const free = async () => {
    holding.splice(0).forEach((end) => end());
    await arrive();
  };
  return { app, arrived, begun, ask, look, free };
}

/** Lets all requests come as far as they can, on a busy machine too: no step of theirs leaves the process. */
async function arrive(): Promise<void> {
  for (let round = 0; round < 200; round += 1) await new Promise((resolve) => setImmediate(resolve));
}

test('a body is parsed in the turn of its request, however broken it is', async () => {
  const { app, begun, ask, free } = await heldServer();
  const sales = Array.from({ length: 3 }, () => ask('POST', '/sale', 1));
  await arrive();
  let isAnswered = false;
  const broken = ask('POST', '/sale', 1, '{"a":').then((reply) => {
    isAnswered = true;
    return reply;
  });
  await arrive();
  expect([begun.length, isAnswered]).toEqual([3, false]);
  await free();
  expect((await broken).statusCode).toBe(400);
  // A refused body has given its turn back.
  const more = Array.from({ length: 3 }, () => ask('POST', '/sale', 1));
  await arrive();
  expect(begun).toHaveLength(6);
  await free();
  await Promise.all([...sales, ...more]);
  await app.close();
});

test('a list gives way to the sales of another clinic, and after a quarter of a second it begins all the same', async () => {
  const { app, begun, ask, free } = await heldServer();
  const sale = ask('POST', '/sale', 1);
  await arrive();
  const lists = [ask('GET', '/list', 2), ask('GET', '/list', 1)];
  await arrive();
  // The own sale of a clinic holds up none of its lists.
  expect(begun).toEqual(['POST of 1', 'GET of 1']);
  await free();
  expect(begun).toEqual(['POST of 1', 'GET of 1', 'GET of 2']);
  await free();
  const second = ask('POST', '/sale', 1);
  await arrive();
  const late = ask('GET', '/list', 2);
  expect(begun.slice(3)).toEqual(['POST of 1']);
  // The sale of the first clinic waits for a lock, and nothing else happens.
  await sleep(300);
  expect(begun.slice(3)).toEqual(['POST of 1', 'GET of 2']);
  await free();
  await Promise.all([sale, ...lists, second, late]);
  await app.close();
});

test('who has not signed in has few places, by addresses, and begins beside a sale', async () => {
  const { app, begun, ask, look, free } = await heldServer();
  const flood = Array.from({ length: 6 }, () => look('203.0.113.1'));
  await arrive();
  const other = look('203.0.113.2');
  await arrive();
  expect(begun).toEqual(['GET of 203.0.113.1', 'GET of 203.0.113.1', 'GET of 203.0.113.1', 'GET of 203.0.113.2']);
  const sale = ask('POST', '/sale', 1);
  await arrive();
  expect(begun[4]).toBe('POST of 1');
  await free();
  expect(begun).toHaveLength(8);
  const second = ask('POST', '/sale', 1);
  await arrive();
  expect(begun[8]).toBe('POST of 1');
  const late = look('203.0.113.3');
  await arrive();
  expect(begun[9]).toBe('GET of 203.0.113.3');
  await free();
  await Promise.all([...flood, other, sale, second, late]);
  await app.close();
});

test('a crowd of one address gives way to sales', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  try {
    const { app, begun, ask, look, free } = await heldServer();
    const crowd = Array.from({ length: 109 }, () => look('203.0.113.1'));
    await arrive();
    await free();
    const sale = ask('POST', '/sale', 1);
    await arrive();
    vi.advanceTimersByTime(10);
    await arrive();
    expect(begun.slice(3)).toEqual(['POST of 1']);
    for (let round = 0; round < 40; round += 1) {
      await free();
      vi.advanceTimersByTime(10);
    }
    expect(begun).toHaveLength(110);
    await free();
    await Promise.all([...crowd, sale]);
    await app.close();
  } finally {
    vi.useRealTimers();
  }
});

test('a crowd of one address is served slowly, and what is left of it at once', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  try {
    const { app, look, begun, free } = await heldServer();
    const crowd = Array.from({ length: 109 }, () => look('203.0.113.1'));
    await arrive();
    expect(begun).toHaveLength(3);
    await free();
    // A hundred and six wait, and their places are kept.
    expect(begun).toHaveLength(3);
    vi.advanceTimersByTime(10);
    await arrive();
    expect(begun).toHaveLength(6);
    await free();
    vi.advanceTimersByTime(10);
    await arrive();
    for (let round = 0; round < 34; round += 1) await free();
    expect(begun).toHaveLength(109);
    await free();
    await Promise.all(crowd);
    await app.close();
  } finally {
    vi.useRealTimers();
  }
});

test.each([
  ['a sale', 'POST /sale', 3],
  ['a list', 'GET /list', 2],
  ['somebody outside', 'GET /outside', 2],
  ['what needs no session', 'GET /picture', 3],
])('who hangs up waits for %s no longer, so nothing is done for them', async (_what, asked, atOnce) => {
  const { app, arrived, begun, free } = await heldServer();
  const { port } = new URL(await app.listen({ port: 0, host: '127.0.0.1' }));
  const clinic = asked.endsWith('picture') ? '' : 'x-clinic: 1\r\n';
  const body = asked.startsWith('POST') ? 'content-type: application/json\r\ncontent-length: 2\r\n\r\n{}' : '\r\n';
  const sockets = Array.from({ length: 9 }, () => {
    const socket = connect(Number(port), '127.0.0.1');
    socket.write(`${asked} HTTP/1.1\r\nhost: 127.0.0.1\r\n${clinic}${body}`);
    return socket;
  });
  await eventually(() => expect([arrived.length, begun.length]).toEqual([9, atOnce]));
  await arrive();
  for (const socket of sockets) socket.destroy();
  const open = () => new Promise((resolve) => app.server.getConnections((_fault, count) => resolve(count)));
  await eventually(async () => expect(await open()).toBe(0));
  await free();
  await free();
  expect(begun).toHaveLength(atOnce);
  await app.close();
});

test('who waits for somebody outside has no turn, in a queue with an end', async () => {
  const { app, begun, ask, free } = await heldServer();
  const waiting = Array.from({ length: 12 }, () => ask('GET', '/outside', 1));
  await arrive();
  expect(begun).toHaveLength(2);
  const sales = Array.from({ length: 3 }, () => ask('POST', '/sale', 1));
  await arrive();
  expect(begun.slice(2)).toEqual(['POST of 1', 'POST of 1', 'POST of 1']);
  let isOver = false;
  const statuses = Promise.all(waiting).then((replies) => replies.map(({ statusCode }) => statusCode));
  void statuses.then(() => (isOver = true));
  while (!isOver) await free();
  expect((await statuses).filter((status) => status === 429)).toHaveLength(2);
  await Promise.all(sales);
  await app.close();
});

test('a client that reads slowly keeps no turn from others, and a handler that fails gives its turn back', async () => {
  const app = Fastify();
  app.decorateRequest('session');
  app.addHook('onRequest', async (request) => void (request.session = { clinicId: 1 } as typeof request.session));
  takeTurns(app, new RequestTurns());
  const config = requires('report.read');
  app.get('/endless', { config }, async (_request, reply) => {
    const content = new PassThrough();
    content.write('the beginning');
    return reply.send(content);
  });
  app.get('/broken', { config }, async () => Promise.reject(new Error('no')));
  app.get('/short', { config }, async () => 'done');
  const url = await app.listen({ port: 0, host: '127.0.0.1' });
  const gone = new AbortController();
  try {
    for (let count = 0; count < 5; count++) await fetch(`${url}/endless`, { signal: gone.signal });
    for (let count = 0; count < 5; count++) expect((await fetch(`${url}/broken`)).status).toBe(500);
    expect(await (await fetch(`${url}/short`)).text()).toBe('done');
  } finally {
    gone.abort();
    await app.close();
  }
});
