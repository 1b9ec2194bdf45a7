import { Writable } from 'node:stream';
import { afterEach, expect, test, vi } from 'vitest';
import Fastify, { LogController } from 'fastify';
import { keepWork } from '#server/loop-watch.ts';
import { registerMetrics } from '#server/http/metrics.ts';
import { registerWatchdog } from '#server/http/watchdog.ts';

/** Time passes when the test says so, so that a busy machine holds nothing. */
let nowMs = 0;
const wait = () => new Promise<void>((resolve) => setImmediate(resolve));
afterEach(() => vi.restoreAllMocks());

function watched() {
  vi.spyOn(performance, 'now').mockImplementation(() => nowMs);
  const lines: Record<string, unknown>[] = [];
  const write = (chunk: Buffer, _encoding: unknown, done: () => void) => {
    lines.push(JSON.parse(chunk.toString()) as Record<string, unknown>);
    done();
  };
  const app = Fastify({
    logger: { level: 'warn', base: null, timestamp: false, stream: new Writable({ write }) },
    logController: new LogController({ disableRequestLogging: true }),
  });
  registerMetrics(app);
  registerWatchdog(app);
  app.addHook('onRequest', async (request) => {
    request.session = { clinicId: 3, userId: 7 } as typeof request.session;
  });
  const told = () => lines.map(({ level: _level, reqId: _id, ...line }) => line);
  return { app, told };
}

test('a request that holds the event loop is named by method, route, clinic and person, and counted', async () => {
  const { app, told } = watched();
  app.post('/patients/:id', async () => {
    nowMs += 101;
    return 'done';
  });
  await app.inject({ method: 'POST', url: '/patients/4711?search=Garcia', payload: { name: 'Ana Garcia' } });
  await wait();
  const line = { method: 'POST', route: '/patients/:id', clinic: 3, person: 7, ms: 101, msg: 'held the event loop' };
  expect(told()).toEqual([line]);
  expect(app.metrics.lines()).toContain('dental_counter_event_loop_holds_total{method="POST",route="/patients/:id"} 1');
});

test('who holds the event loop after an answer of the database is named, and who waits meanwhile is not', async () => {
  const { app, told } = watched();
  const answers = new Map<string, () => void>();
  const asked = (name: string) => keepWork(new Promise<void>((resolve) => answers.set(name, resolve)));
  for (const [name, ms] of [
    ['slow', 400],
    ['waits', 0],
    ['quick', 90],
  ] as const)
    app.get(`/${name}`, async () => {
      await asked(name);
      nowMs += ms;
      return name;
    });
  const replies: Promise<unknown>[] = [];
  for (const name of ['waits', 'slow', 'quick']) {
    replies.push(app.inject(`/${name}`).then((reply) => reply.body));
    while (!answers.has(name)) await wait();
  }
  await wait();
  // Nobody works for a long time.
  nowMs += 5000;
  for (const name of ['slow', 'quick', 'waits']) {
    answers.get(name)!();
    await wait();
  }
  await Promise.all(replies);
  await wait();
  expect(told().map(({ route, ms }) => [route, ms])).toEqual([['/slow', 400]]);
});

test('work in stretches holds nobody, however long it takes', async () => {
  const { app, told } = watched();
  app.get('/long', async () => {
    for (let stretch = 0; stretch < 5; stretch += 1) {
      nowMs += 90;
      await keepWork(wait());
    }
    return 'done';
  });
  await app.inject('/long');
  await wait();
  expect(told()).toEqual([]);
});
