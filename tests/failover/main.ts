/**
 * `npm run test:failover`: four tablets sell without a pause at three server processes while the PostgreSQL primary is killed,
 * or every fourth round frozen, and its standby is promoted. No process is told. After each round the two PostgreSQL servers
 * have changed places. KILL_ROUNDS sets the number of rounds, KILL_SEED repeats the random choices of an earlier run.
 */
import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { printedRandom, rounds } from '../kill/rounds.ts';
import { ServerProcess } from '../support/server-process.ts';
import { assertConsistent } from './consistency.ts';
import { HttpTablet, request } from './http-tablet.ts';
import { PostgresPair } from './postgres-pair.ts';

const processCount = 3;
const tabletCount = 4;
/** A server process closes a connection that stays silent for 60 s, and gives up a connection attempt after 10 s. */
const recoversWithinMs = { killed: 20_000, frozen: 120_000 };

const binaries = process.env['POSTGRESQL_BIN'];
if (!binaries) throw new Error('POSTGRESQL_BIN is not set. Run `npm run test:failover`, which finds a PostgreSQL.');
const random = printedRandom('failover');
const pair = await PostgresPair.create(binaries);
const servers: ServerProcess[] = [];

/** Sells and pulls until the round ends. An unexpected reply rejects. */
async function work(tablet: HttpTablet, progress: { isOver: boolean }): Promise<void> {
  while (!progress.isOver) {
    await tablet.sell();
    await tablet.pull();
  }
}

/** Asks every process for its health, as a load balancer does. */
const health = () => Promise.all(servers.map(({ url }) => request(url, { url: '/api/health' })));

/** Asserts that every process answers 503 with the API's error body while no PostgreSQL accepts writes. */
async function assertUnavailable(): Promise<void> {
  for (const { statusCode, body } of await health()) {
    assert.equal(statusCode, 503, body);
    assert.equal((JSON.parse(body) as { code: string }).code, 'UNAVAILABLE');
  }
}

/** @returns the milliseconds until every process is healthy */
async function recovered(withinMs: number): Promise<number> {
  const sinceMs = Date.now();
  while ((await health()).some(({ statusCode }) => statusCode !== 200)) {
    assert.ok(Date.now() < sinceMs + withinMs, `A process did not recover within ${withinMs} ms`);
    await sleep(20);
  }
  return Date.now() - sinceMs;
}

/** Asserts that a tablet that listens at one process is poked when it sells at another. */
async function assertPoked(tablet: HttpTablet, url: string): Promise<void> {
  const { body } = await fetch(`${url}/api/sync/events`, {
    headers: tablet.headers,
    signal: AbortSignal.timeout(20_000),
  });
  let received = '';
  for await (const chunk of body!) {
    received += Buffer.from(chunk as Uint8Array).toString();
    if (received.includes('event: change')) return;
    await tablet.sell();
  }
  assert.fail('The event stream ended without a poke');
}

async function round(tablets: readonly HttpTablet[], isFrozen: boolean): Promise<string> {
  const progress = { isOver: false };
  const workload = Promise.all(tablets.map((tablet) => work(tablet, progress)));
  // A rejection is thrown where `workload` is awaited; until then it must not end the process.
  workload.catch(() => undefined);
  try {
    await sleep(random.between(1500, 3500));
    await (isFrozen ? pair.freezePrimary() : pair.killPrimary(random.between(0, 800)));
    await sleep(random.between(100, 1500));
    if (!isFrozen) await assertUnavailable();
    await pair.promoteStandby();
    const recoveryMs = await recovered(isFrozen ? recoversWithinMs.frozen : recoversWithinMs.killed);
    // The old primary was not fenced: it resumes beside the new one while sales go on.
    if (isFrozen) await pair.thawOther();
    await sleep(random.between(1000, 2500));
    await pair.addStandby();
    // The standby now listens where the primary was. A process that connected there could not write.
    await sleep(1000);
    const [{ clients } = { clients: -1 }] = await pair.queryOther<{ clients: number }>(
      `select count(*)::int as clients from pg_stat_activity where backend_type = 'client backend' and pid <> pg_backend_pid()`,
    );
    assert.equal(clients, 0, 'Server processes are connected to the standby');
    progress.isOver = true;
    await workload;
    for (const { url } of servers) await assertPoked(tablets[0]!, url);
    const untilMs = Date.now() + 30_000;
    for (const tablet of tablets) await tablet.drain(untilMs);
    for (const tablet of tablets) await tablet.catchUp(untilMs);
    const treatments = await assertConsistent(pair, tablets);
    return `recovered ${recoveryMs} ms after the promotion; ${treatments} treatments so far, none lost, none doubled, all in the feed`;
  } finally {
    progress.isOver = true;
    await Promise.allSettled([workload]);
  }
}

try {
  for (let count = 0; count < processCount; count++)
    servers.push(await ServerProcess.create({ DATABASE_URL: pair.url }));
  const tablets: HttpTablet[] = [];
  const urls = servers.map(({ url }) => url);
  for (let count = 0; count < tabletCount; count++)
    tablets.push(await HttpTablet.enrol([...urls.slice(count % processCount), ...urls.slice(0, count % processCount)]));
  for (let count = 1; count <= rounds; count++) {
    const isFrozen = count % 4 === 0;
    console.log(`round ${count} (primary ${isFrozen ? 'frozen' : 'killed'}): ${await round(tablets, isFrozen)}`);
  }
  for (const [index, { failures }] of tablets.entries())
    console.log(`tablet ${index + 1}: failed calls by reason: ${JSON.stringify(Object.fromEntries(failures))}`);
} finally {
  for (const server of servers) await server.destroy();
  await pair.destroy();
}
