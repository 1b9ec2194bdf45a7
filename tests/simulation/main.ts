/**
 * The simulation runs real tablets and real servers in virtual time, with faults drawn from a seed, and checks the invariants
 * of synchronisation at the end of each history. docs/testing.md describes it.
 *
 *     npm run sim -- --seed N [--rare]     replays one history and prints it
 *     npm run sim -- --seeds N [--from N]  runs N histories on all cores and stops at the first violation
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
import { runOnAllCores } from './seeds/parallel-run.ts';
import { profileOf } from './seeds/run-seeds.ts';
import { startScratchPostgres } from './cluster/scratch-postgres.ts';
import { simulate } from './simulate.ts';

const { values } = parseArgs({
  options: {
    seed: { type: 'string' },
    seeds: { type: 'string' },
    from: { type: 'string' },
    rare: { type: 'boolean', default: false },
  },
});

process.exitCode =
  values.seed === undefined
    ? await runOnAllCores({
        from: positiveInteger('from', values.from ?? '1'),
        count: positiveInteger('seeds', values.seeds ?? '100'),
      })
    : await replay(positiveInteger('seed', values.seed), values.rare);

async function replay(seed: number, isRare: boolean): Promise<number> {
  const postgres = await startScratchPostgres();
  try {
    const cluster = await postgres.openCluster();
    const { history, violations } = await simulate(seed, cluster, {}, profileOf(seed, isRare));
    console.log(
      `${history.toString()}\n\n${violations.length === 0 ? 'No violations.' : violations.join('\n')}\nhistory ${history.digest()}`,
    );
    await cluster.close();
    return violations.length === 0 ? 0 : 1;
  } finally {
    await postgres.stop();
  }
}

function positiveInteger(name: string, text: string): number {
  const number = Number(text);
  if (!Number.isInteger(number) || number < 1) throw new Error(`--${name} takes a positive integer, not ${text}.`);
  return number;
}
