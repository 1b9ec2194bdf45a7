/**
 * What `npm run test:failover` runs. Three processes serve four tablets that sell without a pause; their PostgreSQL is killed, or stands still, and its standby is
 * promoted. Nobody tells the processes. Each round the places change and a new standby is made.
 */
import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { dice, rounds } from '../kill/dice.ts';
import { ServerProcess } from '../support/server-process.ts';
import { audit } from './audit.ts';
import { Pair } from './pair.ts';
import { ask, Tablet } from './tablet.ts';

const processes = 3;
const tabletsOpen = 4;
/** A process gives a silent server up after a minute, and a silent connection attempt after ten seconds. */
const backWithinMs = { killed: 20_000, frozen: 120_000 };

const binaries = process.env['POSTGRESQL_BIN'];
if (!binaries) throw new Error('Run it by `npm run test:failover`, which finds a PostgreSQL.');
const chance = dice('failover');
const pair = await Pair.create(binaries);
const servers: ServerProcess[] = [];

/** Sells and pulls until it is told to stop; answers that must not be end the run. */
async function work(tablet: Tablet, shift: { isOver: boolean }): Promise<void> {
  while (!shift.isOver) {
    await tablet.sell();
    await tablet.pull();
  }
}

/** What a balancer sees of each process. */
const health = () => Promise.all(servers.map(({ url }) => ask(url, { url: '/api/health' })));

/** Every process says 503 in our own words while nobody takes writes. */
async function seenAway(): Promise<void> {
  for (const { statusCode, body } of await health()) {
    assert.equal(statusCode, 503, body);
    assert.equal((JSON.parse(body) as { code: string }).code, 'UNAVAILABLE');
  }
}

async function back(withinMs: number): Promise<number> {
  const sinceMs = Date.now();
  while ((await health()).some(({ statusCode }) => statusCode !== 200)) {
    assert.ok(Date.now() < sinceMs + withinMs, 'A process did not come back by itself');
    await sleep(20);
  }
  return Date.now() - sinceMs;
}

/** A tablet that listens to a process is poked when somebody sells at another. */
async function poked(tablet: Tablet, url: string): Promise<void> {
  const { body } = await fetch(`${url}/api/sync/events`, {
    headers: tablet.headers,
    signal: AbortSignal.timeout(20_000),
  });
  let heard = '';
  for await (const chunk of body!) {
    heard += Buffer.from(chunk as Uint8Array).toString();
    if (heard.includes('event: change')) return;
    await tablet.sell();
  }
  assert.fail('The stream ended');
}

async function round(tablets: readonly Tablet[], isFrozen: boolean): Promise<string> {
  const shift = { isOver: false };
  const shifts = Promise.all(tablets.map((tablet) => work(tablet, shift)));
  // What goes wrong meanwhile is thrown where they are awaited, after which everything is still put away.
  shifts.catch(() => undefined);
  try {
    await sleep(chance.between(1500, 3500));
    await (isFrozen ? pair.freezePrimary() : pair.killPrimary(chance.between(0, 800)));
    await sleep(chance.between(100, 1500));
    if (!isFrozen) await seenAway();
    await pair.promoteStandby();
    const awayMs = await back(isFrozen ? backWithinMs.frozen : backWithinMs.killed);
    // Sales go on; the old primary that nobody fenced wakes up beside the new one.
    if (isFrozen) await pair.thawOther();
    await sleep(chance.between(1000, 2500));
    await pair.addStandby();
    // The standby stands where the primary stood: a process that went there would be refused by it.
    await sleep(1000);
    const [{ visitors } = { visitors: -1 }] = await pair.askOther<{ visitors: number }>(
      `select count(*)::int as visitors from pg_stat_activity where backend_type = 'client backend' and pid <> pg_backend_pid()`,
    );
    assert.equal(visitors, 0, 'Processes have settled at the standby');
    shift.isOver = true;
    await shifts;
    for (const { url } of servers) await poked(tablets[0]!, url);
    const untilMs = Date.now() + 30_000;
    for (const tablet of tablets) await tablet.drain(untilMs);
    for (const tablet of tablets) await tablet.catchUp(untilMs);
    return `serving again ${awayMs} ms after the promotion, ${await audit(pair, tablets)} treatments in all, none lost, none doubled, all told`;
  } finally {
    shift.isOver = true;
    await Promise.allSettled([shifts]);
  }
}

try {
  for (let count = 0; count < processes; count++) servers.push(await ServerProcess.create({ DATABASE_URL: pair.url }));
  const tablets: Tablet[] = [];
  const urls = servers.map(({ url }) => url);
  for (let count = 0; count < tabletsOpen; count++)
    tablets.push(await Tablet.enrol([...urls.slice(count % processes), ...urls.slice(0, count % processes)]));
  for (let count = 1; count <= rounds; count++) {
    const isFrozen = count % 4 === 0;
    console.log(`round ${count} (${isFrozen ? 'frozen' : 'killed'}): ${await round(tablets, isFrozen)}`);
  }
  for (const [index, { refused }] of tablets.entries())
    console.log(`tablet ${index + 1} was told: ${JSON.stringify(Object.fromEntries(refused))}`);
} finally {
  for (const server of servers) await server.destroy();
  await pair.destroy();
}
