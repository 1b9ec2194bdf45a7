/**
 * `npm run sim -- --seed N` replays one history and tells it; `npm run sim -- --seeds N [--from N]` runs many on every core
 * and stops at the first that the auditor does not accept. An interrupted run says how to go on.
 */
import './runtime/task-tracking.ts';
import { parseArgs } from 'node:util';
import { runOnEveryCore } from './seeds/parallel-run.ts';
import { startScratchPostgres } from './cluster/scratch-postgres.ts';
import { simulate } from './simulation.ts';

const { values } = parseArgs({
  options: { seed: { type: 'string' }, seeds: { type: 'string' }, from: { type: 'string' } },
});

process.exitCode =
  values.seed === undefined
    ? await runOnEveryCore({
        from: wholeNumber('from', values.from ?? '1'),
        count: wholeNumber('seeds', values.seeds ?? '100'),
      })
    : await replay(wholeNumber('seed', values.seed));

async function replay(seed: number): Promise<number> {
  const postgres = await startScratchPostgres();
  try {
    const cluster = await postgres.openCluster();
    const { history, violations } = await simulate(seed, cluster);
    console.log(
      `${history.toString()}\n\n${violations.length === 0 ? 'All is well.' : violations.join('\n')}\nhistory ${history.digest()}`,
    );
    await cluster.close();
    return violations.length === 0 ? 0 : 1;
  } finally {
    await postgres.stop();
  }
}

function wholeNumber(name: string, text: string): number {
  const number = Number(text);
  if (!Number.isInteger(number) || number < 1) throw new Error(`--${name} takes a whole number from 1, not ${text}.`);
  return number;
}
