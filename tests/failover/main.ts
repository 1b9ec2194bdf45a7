/**
 * `npm run test:failover`: tablets sell without a pause at several server processes while the primary of a Patroni cluster is killed
 * or frozen with its machine. No process is told. KILL_ROUNDS sets the number of rounds of each kind, KILL_SEED repeats the random
 * choices of an earlier run.
 */
import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from 'pg';
import { printedRandom, rounds } from '../kill/rounds.ts';
import { ServerProcess } from '../support/server-process.ts';
import { Cluster } from './cluster.ts';
import { assertConsistent, lostOperations } from './consistency.ts';
import type { DatabaseNode } from './database-node.ts';
import { HttpTablet, request } from './http-tablet.ts';
import { Outages } from './outages.ts';

const tabletCount = 4;
/** Patroni replaces a primary after 20 s of silence. A server process gives up a silent connection of its own after 60 s. */
const recoversWithinMs = 120_000;
const asynchronousRounds = 1;
const resumedAloneMs = 3000;

const binaries = process.env['POSTGRESQL_BIN'];
if (!binaries) throw new Error('POSTGRESQL_BIN is not set. Run `npm run test:failover`, which finds a PostgreSQL.');
const random = printedRandom('failover');
const cluster = await Cluster.create(binaries);
const servers: ServerProcess[] = [];

type Fault = 'killed' | 'frozen';

/** Sells and pulls until the round ends. An unexpected reply rejects. */
async function work(tablet: HttpTablet, progress: { isOver: boolean }): Promise<void> {
  while (!progress.isOver) {
    await tablet.sell();
    await tablet.pull();
  }
}

/** Asserts that every process answers 503 with the API's error body while no PostgreSQL accepts writes. */
async function assertUnavailable(): Promise<void> {
  for (const { statusCode, body } of await Promise.all(
    servers.map(({ url }) => request(url, { url: '/api/health' })),
  )) {
    assert.equal(statusCode, 503, body);
    assert.equal((JSON.parse(body) as { code: string }).code, 'UNAVAILABLE');
  }
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

/**
 * Writes to the old primary, past HAProxy and PgBouncer, while its PostgreSQL runs again and its Patroni is still frozen.
 *
 * @returns the number of attempts and of acknowledged ones
 */
async function writeTo(old: DatabaseNode): Promise<{ attempts: number; acknowledged: number }> {
  const counts = { attempts: 0, acknowledged: 0 };
  const connections: Client[] = [];
  for (const untilMs = Date.now() + resumedAloneMs; Date.now() < untilMs; await sleep(100)) {
    const connection = await cluster.connectTo(old);
    connections.push(connection);
    counts.attempts += 1;
    connection.query('insert into fence_attempts default values').then(
      () => (counts.acknowledged += 1),
      () => undefined,
    );
  }
  await old.thawPatroni();
  await cluster.whole();
  for (const connection of connections) await connection.end().catch(() => undefined);
  return counts;
}

async function round(fault: Fault, sellers: readonly HttpTablet[], outages: Outages): Promise<string> {
  const tablets = [...sellers, ...outages.tablets];
  const progress = { isOver: false };
  const workload = Promise.all([...sellers.map((tablet) => work(tablet, progress)), outages.probeUntil(progress)]);
  // A rejection is thrown where `workload` is awaited; until then it must not end the process.
  workload.catch(() => undefined);
  const notes: string[] = [];
  try {
    await sleep(random.between(1500, 3500));
    const old = await cluster.primary();
    // The last writes reach no other machine; in synchronous mode no tablet may have been told that they are stored.
    await cluster.stopReplication(old);
    await sleep(random.between(0, 800));
    const faultMs = Date.now();
    await (fault === 'frozen' ? old.freeze() : old.kill());
    if (fault === 'killed') {
      await sleep(3000);
      await assertUnavailable();
    }
    const primary = await cluster.primary();
    assert.notEqual(primary.name, old.name, 'The old primary is still the primary');
    await outages.recovered(faultMs, recoversWithinMs);
    const paused = async () => {
      progress.isOver = true;
      await workload;
      return outages.ofRound(fault, faultMs);
    };
    if (!cluster.isSynchronous) {
      notes.push(await paused());
      const lost = await lostOperations(cluster, tablets);
      notes.push(`${lost.length} acknowledged operations lost, which the tablets send again`);
      for (const tablet of tablets) tablet.sendAgain(lost);
    }
    if (fault === 'frozen') {
      await old.thawPostgresql();
      const { attempts, acknowledged } = await writeTo(old);
      notes.push(`${attempts} writes sent to the resumed old primary, ${acknowledged} acknowledged`);
      assert.equal(acknowledged, 0, 'The old primary acknowledged a write');
    } else {
      old.start();
    }
    await cluster.whole();
    await sleep(random.between(1000, 2500));
    if (cluster.isSynchronous) notes.unshift(await paused());
    const [{ stored } = { stored: -1 }] = await cluster.query<{ stored: number }>(
      'select count(*)::int as stored from fence_attempts',
    );
    assert.equal(stored, 0, 'A write at the old primary is stored');
    for (const { url } of servers) await assertPoked(tablets[0]!, url);
    const untilMs = Date.now() + 60_000;
    for (const tablet of tablets) await tablet.drain(untilMs);
    for (const tablet of tablets) await tablet.catchUp(untilMs);
    const treatments = await assertConsistent(cluster, tablets);
    return [
      `${old.name} → ${primary.name}`,
      ...notes,
      `${treatments} treatments so far: 0 lost, 0 doubled, all in the feed`,
    ].join('; ');
  } finally {
    progress.isOver = true;
    await Promise.allSettled([workload]);
  }
}

async function run(): Promise<void> {
  await cluster.start();
  for (const url of [cluster.pooledUrl, cluster.pooledUrl, cluster.directUrl])
    servers.push(await ServerProcess.create({ DATABASE_URL: url }));
  // The tablets sell a service of the demo, which has no stock. With stock, a second deduction shows.
  await cluster.query('update stock_items set is_stocked = true where id = 1');
  const tablets: HttpTablet[] = [];
  const urls = servers.map(({ url }) => url);
  for (let count = 0; count < tabletCount; count++) {
    const turned = count % urls.length;
    tablets.push(await HttpTablet.enrol([...urls.slice(turned), ...urls.slice(0, turned)]));
  }
  const outages = await Outages.watch([
    { way: 'through PgBouncer', url: urls[0]! },
    { way: 'directly', url: urls[2]! },
  ]);
  await cluster.query('create table fence_attempts (id int generated always as identity)');
  await cluster.query('grant insert on fence_attempts to clinic');
  for (let count = 1; count <= rounds; count++)
    for (const fault of ['killed', 'frozen'] as const)
      console.log(`round ${count}, primary ${fault}: ${await round(fault, tablets, outages)}`);
  for (const line of outages.summary()) console.log(line);
  await cluster.setSynchronous(false);
  for (let count = 1; count <= asynchronousRounds; count++)
    console.log(`asynchronous round ${count}, primary killed: ${await round('killed', tablets, outages)}`);
  for (const [index, { failures }] of [...tablets, ...outages.tablets].entries())
    console.log(`tablet ${index + 1}: failed calls by reason: ${JSON.stringify(Object.fromEntries(failures))}`);
}

async function destroy(): Promise<void> {
  await Promise.all(servers.map((server) => server.destroy()));
  await cluster.destroy();
}

for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.once(signal, () => void destroy().finally(() => process.exit(130)));
try {
  await run();
} catch (error) {
  console.error(await cluster.lastWords());
  throw error;
} finally {
  await destroy();
}
