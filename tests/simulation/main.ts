/**
 * `npm run sim -- --seed N` replays one history and tells it; `npm run sim -- --seeds N [--from N]` runs many and stops at the
 * first that the auditor does not accept.
 */
import './quiescence.ts';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { startEmbeddedPostgres } from '../../server/db/embedded/embedded-postgres.ts';
import { migrate } from '../../server/db/migrate.ts';

import { openHouse } from './house.ts';
import { runSeeds, tellCounts } from './seeds.ts';
import { simulate } from './shift.ts';

const { values } = parseArgs({ options: { seed: { type: 'string' }, seeds: { type: 'string' }, from: { type: 'string' } } });

/** Nothing of this outlives the run. */
const withoutDurability = { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' };

const dataDir = await mkdtemp(join(tmpdir(), 'dental-counter-sim-'));
const postgres = await startEmbeddedPostgres({ dataDir, settings: withoutDurability });
try {
  await migrate(postgres.connectionString);
  const house = await openHouse(postgres.connectionString);
  try {
    if (values.seed !== undefined) await replay(Number(values.seed));
    else await many(Number(values.from ?? 1), Number(values.seeds ?? 100));
  } finally {
    await house.close();
  }

  async function replay(seed: number): Promise<void> {
    const { history, complaints } = await simulate(seed, house);
    console.log(`${history.toString()}\n\n${complaints.length === 0 ? 'All is well.' : complaints.join('\n')}\nhistory ${history.digest()}`);
    process.exitCode = complaints.length === 0 ? 0 : 1;
  }

  async function many(from: number, count: number): Promise<void> {
    const begun = performance.now();
    const outcome = await runSeeds(house, { from, count }, (seed) => {
      if (seed % 500 === 0) console.log(`${seed - from + 1} histories, ${Math.round((performance.now() - begun) / (seed - from + 1))} ms each`);
    });
    console.log(tellCounts(outcome.counts));
    console.log(outcome.failure ?? `${count} histories from seed ${from}: all is well.`);
    process.exitCode = outcome.failure === null ? 0 : 1;
  }
} finally {
  await postgres.stop();
  await rm(dataDir, { recursive: true, force: true });
}
