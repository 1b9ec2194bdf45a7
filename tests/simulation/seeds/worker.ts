/** A worker process of `npm run sim`: runs blocks of seeds on a PostgreSQL of its own until the parent disconnects. */
import '../runtime/task-tracking.ts';
import type { WorkerMessage } from './parallel-run.ts';
import { startScratchPostgres } from '../cluster/scratch-postgres.ts';
import { describe, runSeeds } from './run-seeds.ts';
import type { SeedBlock } from './run-seeds.ts';

/** A database with more clinics gets slower, so the worker then opens a new one. */
const seedsPerCluster = 1000;

const send = (message: WorkerMessage): void => {
  if (process.connected) process.send!(message);
};
// The parent prints this as the reason of the failure.
const fail = (error: unknown): void => {
  console.error(describe(error));
  process.exit(1);
};
process.on('uncaughtException', fail).on('unhandledRejection', fail);
// The parent receives the same interrupt and lets the current block finish.
process.on('SIGINT', () => undefined);
process.on('SIGTERM', () => void postgres.stop().finally(() => process.exit(1)));

const postgres = await startScratchPostgres();
let cluster = await postgres.openCluster();
let seedsInCluster = 0;
let working: Promise<void> = Promise.resolve();

process.on('message', (block: SeedBlock) => {
  working = work(block);
});
process.on('disconnect', () => void leave());
send({ type: 'ready' });

async function work(block: SeedBlock): Promise<void> {
  if (seedsInCluster >= seedsPerCluster) {
    await cluster.close();
    cluster = await postgres.openCluster();
    seedsInCluster = 0;
  }
  seedsInCluster += block.count;
  const begins = (seed: number) => send({ type: 'begins', seed });
  const { counts, failure } = await runSeeds(cluster, block, { begins });
  send({ type: 'done', block, counts: [...counts], failure });
}

async function leave(): Promise<void> {
  await working;
  await cluster.close();
  await postgres.stop();
}
