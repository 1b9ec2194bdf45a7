/**
 * The simulation runs real tablets and real servers in virtual time, with faults drawn from a seed, and checks the invariants
 * of synchronisation at the end of each history. docs/testing.md describes it.
 *
 *     npm run sim -- --seed N [--rare]     replays one history and prints it
 *     npm run sim -- --seeds N [--from N]  runs N histories on all cores and stops at the first violation
 *     npm run sim -- --choose N            prints the seeds for `seeds.test.ts`, of the first N of both profiles
 *
 * The folders:
 *
 *     clients/    tablets, their processes, and the workload of the people who use them
 *     agency/     the tax agency, and the senders of fiscal records
 *     cluster/    the servers under test, one clinic per history, backups
 *     faults/     the faults of a history: network, storage, commits, incidents
 *     checkers/   the invariants, and the final state that they read
 *     runtime/    virtual time, and the history of a run
 *     seeds/      runs over many seeds
 *     crashes/    a crash at every await of short scenarios
 *     mutations/  known bugs that the checkers must find
 */
import './runtime/task-tracking.ts';
import { parseArgs } from 'node:util';
import { chooseSeeds } from './seeds/choose-seeds.ts';
import { runOnAllCores } from './seeds/parallel-run.ts';
import { profileOf } from './seeds/run-seeds.ts';
import type { Cluster } from './cluster/cluster.ts';
import { startScratchPostgres } from './cluster/scratch-postgres.ts';
import { simulate } from './simulate.ts';

const { values } = parseArgs({
  options: {
    seed: { type: 'string' },
    seeds: { type: 'string' },
    from: { type: 'string' },
    rare: { type: 'boolean', default: false },
    choose: { type: 'string' },
  },
});

process.exitCode = await main();

async function main(): Promise<number> {
  if (values.choose !== undefined) return printChosen(positiveInteger('choose', values.choose));
  if (values.seed !== undefined) return replay(positiveInteger('seed', values.seed), values.rare);
  return runOnAllCores({
    from: positiveInteger('from', values.from ?? '1'),
    count: positiveInteger('seeds', values.seeds ?? '100'),
  });
}

/** Opens a cluster on a PostgreSQL that is deleted afterwards. */
async function withCluster<T>(work: (cluster: Cluster) => Promise<T>): Promise<T> {
  const postgres = await startScratchPostgres();
  try {
    const cluster = await postgres.openCluster();
    return await work(cluster).finally(() => cluster.close());
  } finally {
    await postgres.stop();
  }
}

function replay(seed: number, isRare: boolean): Promise<number> {
  return withCluster(async (cluster) => {
    const { history, violations } = await simulate(seed, cluster, {}, profileOf(seed, isRare));
    console.log(
      `${history.toString()}\n\n${violations.length === 0 ? 'No violations.' : violations.join('\n')}\nhistory ${history.digest()}`,
    );
    return violations.length === 0 ? 0 : 1;
  });
}

function printChosen(count: number): Promise<number> {
  return withCluster(async (cluster) => {
    const chosen = await chooseSeeds(cluster, count);
    for (const isRare of [false, true]) {
      const seeds = chosen.flatMap((each) => (each.isRare === isRare ? each.seed : [])).toSorted((a, b) => a - b);
      console.log(`${isRare ? 'rare' : 'usual'}: ${seeds.join(', ')}`);
    }
    return 0;
  });
}

function positiveInteger(name: string, text: string): number {
  const number = Number(text);
  if (!Number.isInteger(number) || number < 1) throw new Error(`--${name} takes a positive integer, not ${text}.`);
  return number;
}
