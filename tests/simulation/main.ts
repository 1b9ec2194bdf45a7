/**
 * `npm run sim -- --seed N` replays one history and tells it; `npm run sim -- --seeds N [--from N]` runs many and stops at the
 * first that the auditor does not accept.
 */
import './quiescence.ts';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { Client } from 'pg';
import { startEmbeddedPostgres } from '../../server/db/embedded/embedded-postgres.ts';
import { migrate } from '../../server/db/migrate.ts';
import { addCounts } from './history.ts';
import type { Counts } from './history.ts';
import { openHouse } from './house.ts';
import type { House } from './house.ts';
import { runSeeds, tellCounts } from './seeds.ts';
import { simulate } from './shift.ts';

/** Nothing of this outlives the run. */
const withoutDurability = { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' };
/** So many clinics share a database; a new one is as fast as the first was. */
const seedsPerDatabase = 1000;

const { values } = parseArgs({ options: { seed: { type: 'string' }, seeds: { type: 'string' }, from: { type: 'string' } } });

const dataDir = await mkdtemp(join(tmpdir(), 'dental-counter-sim-'));
const postgres = await startEmbeddedPostgres({ dataDir, settings: withoutDurability });
try {
  const isWell = values.seed === undefined ? await runMany(Number(values.from ?? 1), Number(values.seeds ?? 100)) : await replay(Number(values.seed));
  process.exitCode = isWell ? 0 : 1;
} finally {
  await postgres.stop();
  await rm(dataDir, { recursive: true, force: true });
}

function replay(seed: number): Promise<boolean> {
  return withHouse('one', async (house) => {
    const { history, complaints } = await simulate(seed, house);
    console.log(`${history.toString()}\n\n${complaints.length === 0 ? 'All is well.' : complaints.join('\n')}\nhistory ${history.digest()}`);
    return complaints.length === 0;
  });
}

async function runMany(from: number, count: number): Promise<boolean> {
  const counts: Counts = new Map();
  const begun = performance.now();
  for (let done = 0; done < count; done += seedsPerDatabase) {
    const part = { from: from + done, count: Math.min(seedsPerDatabase, count - done) };
    const { failure, counts: more } = await withHouse(`part_${done}`, (house) => runSeeds(house, part));
    addCounts(counts, more);
    if (failure !== null) {
      console.log(failure);
      return false;
    }
    const run = done + part.count;
    console.log(`${run} histories from seed ${from}, ${Math.round((performance.now() - begun) / run)} ms each: all is well.`);
  }
  console.log(tellCounts(counts));
  return true;
}

async function withHouse<T>(name: string, work: (house: House) => Promise<T>): Promise<T> {
  await administer(`create database ${name}`);
  const connectionString = postgres.connectionString.replace(/@\/[^?]+/, `@/${name}`);
  await migrate(connectionString);
  const house = await openHouse(connectionString);
  try {
    return await work(house);
  } finally {
    await house.close();
    await administer(`drop database ${name} with (force)`);
  }
}

async function administer(statement: string): Promise<void> {
  const client = new Client(postgres.connectionString);
  await client.connect();
  await client.query(statement).finally(() => client.end());
}
