import { expect, test } from 'vitest';
import Fastify from 'fastify';
import { PassThrough } from 'node:stream';
import { requires } from '../../../server/http/access.ts';
import { ClinicTurns, takeTurns } from '../../../server/http/turns.ts';

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
  const turns = new ClinicTurns({ atOnce: 3, perClinic: 2, waiting: 10 });
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
  const turns = new ClinicTurns({ atOnce: 1, perClinic: 1, waiting: 1 });
  await expect(run(turns, 1, () => Promise.reject(new Error('no')))).rejects.toThrow('no');
  await expect(run(turns, 1, () => Promise.resolve('free'))).resolves.toBe('free');
});

test('work of a clinic beyond those that may wait is turned away', async () => {
  const turns = new ClinicTurns({ atOnce: 1, perClinic: 1, waiting: 1 });
  const busy = works(turns, 1, 3);
  await expect(busy.done[2]).resolves.toBe(null);
  busy.ends[0]!();
  await settle();
  busy.ends[1]!();
  await Promise.all(busy.done);
  expect(busy.begun).toEqual([0, 1]);
});

test('clinics that wait are served in turn, however much one has', async () => {
  const turns = new ClinicTurns({ atOnce: 1, perClinic: 1, waiting: 10 });
  const begun: number[] = [];
  const ask = (clinicId: number) =>
    run(turns, clinicId, async () => {
      begun.push(clinicId);
      await settle();
    });
  await Promise.all([ask(1), ask(1), ask(1), ask(1), ask(2), ask(3), ask(2)]);
  expect(begun).toEqual([1, 1, 2, 3, 1, 2, 1]);
});

test('a client that reads slowly keeps no turn from others, and a handler that fails gives its turn back', async () => {
  const app = Fastify();
  app.decorateRequest('session');
  app.addHook('onRequest', async (request) => void (request.session = { clinicId: 1 } as typeof request.session));
  takeTurns(app);
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
