/** One process of the crew: it runs the blocks of seeds that it is given, on a PostgreSQL of its own, until its parent lets it go. */
import '../runtime/task-tracking.ts';
import type { Block, Report } from './parallel-run.ts';
import { startScratchPostgres } from '../cluster/scratch-postgres.ts';
import { runSeeds } from './run-seeds.ts';

/** So many clinics share a database; a new one is as fast as the first was. */
const seedsPerCluster = 1000;

// The parent hears the same interrupt and lets the block come to its end.
process.on('SIGINT', () => undefined);
process.on('SIGTERM', () => void postgres.stop().finally(() => process.exit(1)));

const postgres = await startScratchPostgres();
let cluster = await postgres.openCluster();
let seedsInCluster = 0;
let working: Promise<void> = Promise.resolve();

process.on('message', (block: Block) => {
  working = work(block);
});
process.on('disconnect', () => void leave());
process.send!({ type: 'ready' } satisfies Report);

async function work(block: Block): Promise<void> {
  if (seedsInCluster >= seedsPerCluster) {
    await cluster.close();
    cluster = await postgres.openCluster();
    seedsInCluster = 0;
  }
  seedsInCluster += block.count;
  const { counts, failure } = await runSeeds(cluster, block);
  if (process.connected) process.send!({ type: 'done', block, counts: [...counts], failure } satisfies Report);
}

async function leave(): Promise<void> {
  await working;
  await cluster.close();
  await postgres.stop();
}
