/** One process of the crew: it runs the blocks of seeds that it is given, on a PostgreSQL of its own, until its parent lets it go. */
import './quiescence.ts';
import type { Block, Report } from './crew.ts';
import { startOwnPostgres } from './own-postgres.ts';
import { runSeeds } from './seeds.ts';

/** So many clinics share a database; a new one is as fast as the first was. */
const seedsPerHouse = 1000;

// The parent hears the same interrupt and lets the block come to its end.
process.on('SIGINT', () => undefined);
process.on('SIGTERM', () => void postgres.stop().finally(() => process.exit(1)));

const postgres = await startOwnPostgres();
let house = await postgres.openHouse();
let seedsInHouse = 0;
let working: Promise<void> = Promise.resolve();

process.on('message', (block: Block) => {
  working = work(block);
});
process.on('disconnect', () => void leave());
process.send!({ type: 'ready' } satisfies Report);

async function work(block: Block): Promise<void> {
  if (seedsInHouse >= seedsPerHouse) {
    await house.close();
    house = await postgres.openHouse();
    seedsInHouse = 0;
  }
  seedsInHouse += block.count;
  const { counts, failure } = await runSeeds(house, block);
  if (process.connected) process.send!({ type: 'done', block, counts: [...counts], failure } satisfies Report);
}

async function leave(): Promise<void> {
  await working;
  await house.close();
  await postgres.stop();
}
