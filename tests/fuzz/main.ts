/**
 * `npm run fuzz`: attacks a clinic with requests and operations drawn from a seed, one at a time, and looks whether it
 * still works. docs/testing.md describes it.
 *
 *     npm run fuzz -- --seed N [--requests 50000]     a whole run
 *     npm run fuzz -- --seed N --from I --requests 1  one request of it, in a clinic without those before
 */
import { loadavg } from 'node:os';
import { parseArgs } from 'node:util';
import type { Role } from '#domain/staff/roles.ts';
import { printSummary, summarise } from '../bench/statistics.ts';
import type { TestDevice } from '../support/device.ts';
import { issuerSettings } from '../support/fiscal-till.ts';
import { Sights } from '../support/fuzz-seen.ts';
import { faultIn } from '../support/reply-faults.ts';
import { aftermath, longestMs } from './aftermath.ts';
import { Battlefield } from './attacks.ts';
import { clockJumps } from './clock-jumps.ts';
import { before, brokenInvariants } from './invariants.ts';
import { withRun } from './huge-runs.ts';
import { plannedRequests } from './requests.ts';
import type { Planned } from './requests.ts';
import { silentHost } from './silent-host.ts';
import { outside, Testbed } from './testbed.ts';
import { unreadReplies } from './unread-replies.ts';

const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: String(1 + Math.floor(Math.random() * 1e9)) },
    requests: { type: 'string', default: '50000' },
    from: { type: 'string', default: '0' },
  },
});
const seed = integer('seed');
/** A run with so many faults ends early. */
const mostFaults = 50;
const plan = { seed, from: integer('from'), count: integer('requests') };

/** An interrupted run still checks what it did. */
let isInterrupted = false;
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => (isInterrupted = true));

interface Call {
  method: string;
  url: string;
  headers: Record<string, string>;
  body: string | undefined;
}

interface Answer {
  index: number;
  call: Call;
  status: number;
  ms: number;
}

/** Every other seed has a clinic with VERI*FACTU. A demo saves no settings while it is on, so the others go without. */
const yesterday = new Date(Date.now() - 86_400_000).toISOString().slice(0, 10);
const silent = await silentHost();
const testbed = await Testbed.create({
  environment: silent.environment,
  settings: {
    ...issuerSettings,
    notification_email: 'jefa@clinic.test',
    ...(seed % 2 === 0 ? { verifactu_since: yesterday } : { books_by_sii: true }),
  },
});
async function run(): Promise<boolean> {
  console.log(`npm run fuzz -- --seed ${seed} --requests ${plan.count}${plan.from ? ` --from ${plan.from}` : ''}`);
  const { server, otherClinicId } = testbed;
  const neighbour = await testbed.enrol('manager', otherClinicId);
  await neighbour.send(neighbour.create());
  const victim = await testbed.enrol('manager');
  const devices = await testbed.enrolAll();
  silent.keepAsking(server.url, (await testbed.enrol('admin')).headers);
  const first = await testbed.targets(victim);
  const known = await testbed.known(devices.get('admin')!);
  const others = { ...(await testbed.approvers(victim)), victim, foreignCode: neighbour.info.code };
  const field = new Battlefield(devices, others, first, known.lastId);
  const sights = new Sights(testbed.routes, (url, role) => readAs(devices.get(role)!, url));
  const start = await before(testbed);
  const { pid } = server;
  const faults: string[] = [];
  const found = (fault: string): void => {
    console.log(`FAULT  ${fault}`);
    faults.push(fault);
  };
  const answers: Answer[] = [];
  const results = new Map<string, number>();
  let renewed = 0;
  const began = performance.now();
  for (const { index, planned } of plannedRequests(plan, testbed.routes, known)) {
    const call = await callOf(planned, { devices, field, sights });
    const started = performance.now();
    const reply = await send(call).catch(failureOf);
    const ms = performance.now() - started;
    const status = typeof reply === 'string' ? 0 : reply.status;
    answers.push({ index, call: { ...call, body: call.body?.slice(0, 2000) }, status, ms });
    const wrong = typeof reply === 'string' ? `no answer: ${reply}` : faultIn(reply);
    if (wrong)
      found(`${wrong}\n${describe(answers.at(-1)!)}\n  ${typeof reply === 'string' ? '' : reply.body.slice(0, 600)}`);
    if (!mayBeSlow(reply) && (await alone(call, ms)) > longestMs)
      found(`an answer after ${ms.toFixed(0)} ms\n${describe(answers.at(-1)!)}`);
    if (status === 401 && (await renew(devices, planned))) renewed += 1;
    if (typeof reply !== 'string' && planned.type === 'attack') countResults(reply.body, results);
    if (answers.length % 1000 === 0) progress(answers.length, faults.length, began);
    if (faults.length >= mostFaults || isInterrupted) break;
  }
  const seconds = (performance.now() - began) / 1000;
  report(answers, results, seconds);
  const unheard = answers.filter(({ status }) => status === 421).length;
  if (unheard > 0) found(`${unheard} requests were turned away before any route`);
  console.log(`sessions that attackers ended among themselves: ${renewed}`);
  if (server.pid !== pid || !(await fetch(`${server.url}/api/health`)).ok) faults.push('the process has died');
  for (const [failure, count] of failuresIn(server.printed)) console.log(`logged ${count} times: ${failure}`);
  console.log('\nUnread replies');
  faults.push(...(await unreadReplies(testbed, { attacker: devices.get('manager')!, other: victim }, seed)));
  console.log('\nInvariants');
  faults.push(...(await brokenInvariants(testbed, start)));
  console.log('\nClocks that jump');
  faults.push(...(await clockJumps(testbed, seed)));
  console.log('\nAfterwards');
  faults.push(
    ...(await aftermath(
      testbed,
      [...devices].filter(([role]) => role !== 'kitchen' && role !== 'server').map(([, device]) => device),
    )),
  );
  console.log(faults.length === 0 ? '\nNo faults.' : `\n${faults.length} faults, in short:`);
  for (const fault of faults) console.log(fault.slice(0, 400));
  return faults.length === 0;
}

/** Returns what the server has logged as failures, with their counts. */
function failuresIn(log: string): Map<string, number> {
  const failures = new Map<string, number>();
  for (const line of log.split('\n').filter((text) => text.startsWith('{'))) {
    const { msg, err } = JSON.parse(line) as { msg: string; err?: Record<string, string> };
    const { message, sqlState, table, constraint, stack = '' } = err ?? {};
    const place = /at (?:async )?(?!process)[\w.]+ \(file/.exec(stack)?.[0] ?? '';
    const failure = [msg, message, sqlState, table, constraint, place].filter(Boolean).join(', ');
    failures.set(failure, (failures.get(failure) ?? 0) + 1);
  }
  return failures;
}

/** A manager may revoke the device of another attacker, whom somebody else then replaces. Returns whether it was so. */
async function renew(devices: Map<Role, TestDevice>, planned: Planned): Promise<boolean> {
  const role = planned.type === 'request' ? planned.request.role : planned.attack.role;
  if (role === null) return false;
  const me = await fetch(`${testbed.server.url}/api/auth/me`, { headers: devices.get(role)!.headers });
  if (me.ok) return false;
  devices.set(role, await testbed.enrol(role));
  return true;
}

async function callOf(
  planned: Planned,
  { devices, field, sights }: { devices: ReadonlyMap<Role, TestDevice>; field: Battlefield; sights: Sights },
): Promise<Call> {
  if (planned.type === 'request') {
    const { route, role, url, headers } = planned.request;
    const { text: body } = await sights.bodyOf(planned.request);
    const { method } = route;
    const stolen = planned.stolenKey === null ? undefined : field.someId(planned.stolenKey);
    const key = stolen !== undefined && method !== 'GET' ? { 'idempotency-key': stolen } : {};
    const sent = { ...outside, ...headers, ...key, ...(role && devices.get(role)!.headers) };
    return { method, url, headers: sent, body: withRun(body, planned.run) };
  }
  const { operations, token } = field.carryOut(planned.attack);
  const headers = { ...outside, authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  const body = withRun(JSON.stringify({ operations }), planned.run);
  return { method: 'POST', url: '/api/sync/batch', headers, body };
}

async function readAs({ headers }: TestDevice, url: string): Promise<unknown> {
  const reply = await fetch(`${testbed.server.url}${url}`, { headers: { ...outside, ...headers } });
  return reply.ok ? ((await reply.json()) as { data: unknown }).data : null;
}

interface Reply {
  status: number;
  type: string;
  body: string;
}

async function send({ method, url, headers, body }: Call): Promise<Reply> {
  const reply = await fetch(`${testbed.server.url}${url}`, {
    method,
    headers,
    redirect: 'manual',
    ...(body !== undefined && method !== 'GET' && { body }),
    signal: AbortSignal.timeout(60_000),
  });
  const type = reply.headers.get('content-type')?.split(';')[0] ?? '';
  return { status: reply.status, type, body: await reply.text() };
}

/** A worker thread lays out PDF files at two milliseconds per row, beside all other requests. */
const mayBeSlow = (reply: Reply | string): boolean => typeof reply !== 'string' && reply.type === 'application/pdf';

/** Returns the duration of a read; one that seems slow is repeated, because something else may have used the machine. */
async function alone(call: Call, firstMs: number): Promise<number> {
  if (firstMs <= longestMs || call.method !== 'GET') return firstMs;
  const started = performance.now();
  await send(call).catch(() => undefined);
  return Math.min(firstMs, performance.now() - started);
}

/** A body above the limit is answered too: its sender reads the answer. */
function failureOf(error: unknown): string {
  const { cause } = error as { cause?: { code?: string } };
  return `${String(error)} ${cause?.code ?? ''}`;
}

function countResults(body: string, results: Map<string, number>): void {
  const { data } = JSON.parse(body) as { data?: { results: { status: string; reply?: { code?: string } }[] } };
  for (const { status, reply } of data?.results ?? []) {
    const name = reply?.code ? `${status} ${reply.code}` : status;
    results.set(name, (results.get(name) ?? 0) + 1);
  }
}

function progress(done: number, faults: number, began: number): void {
  const seconds = (performance.now() - began) / 1000;
  console.log(
    `${done} requests in ${seconds.toFixed(0)} s, ${faults} faults, load average ${loadavg()[0]!.toFixed(1)}`,
  );
}

function report(answers: readonly Answer[], results: ReadonlyMap<string, number>, seconds: number): void {
  const counts = new Map<number, number>();
  for (const { status } of answers) counts.set(status, (counts.get(status) ?? 0) + 1);
  const sorted = <K extends string | number>(of: ReadonlyMap<K, number>) =>
    [...of]
      .sort(([, a], [, b]) => b - a)
      .map(([name, count]) => `${name}: ${count}`)
      .join(', ');
  console.log(`\n${answers.length} requests in ${seconds.toFixed(0)} s, by status: ${sorted(counts)}`);
  console.log(`operations of attackers, by result: ${sorted(results)}`);
  printSummary('answers', summarise(answers.map(({ ms }) => ms)));
  console.log('The slowest:');
  for (const answer of answers.toSorted((a, b) => b.ms - a.ms).slice(0, 10)) console.log(describe(answer, 200));
}

function describe({ index, call: { method, url, headers, body }, status, ms }: Answer, length = 1500): string {
  const { authorization: _secret, ...others } = headers;
  const text = `${method} ${url.slice(0, 300)} ${JSON.stringify(others)} ${body ?? ''}`.slice(0, length);
  return `  ${ms.toFixed(0).padStart(6)} ms  ${status}  --seed ${seed} --from ${index} --requests 1  ${text}`;
}

function integer(name: 'seed' | 'requests' | 'from'): number {
  const number = Number(values[name]);
  if (!Number.isSafeInteger(number) || number < 0) throw new Error(`--${name} takes a number from 0 on.`);
  return number;
}

try {
  process.exitCode = (await run()) ? 0 : 1;
} finally {
  silent.close();
  await testbed.close();
}
