/**
 * Sends the same operations to a server with each arm, without and with network delay. Prints the median and worst
 * time of each arm and its lost and doubled operations. Rounds are interleaved, so that other load on the machine
 * affects all arms alike.
 */
import type { AnyOperation } from '../../../domain/protocol/operations.ts';
import { summarise } from '../statistics.ts';
import { ourArm, pouchArm, restArm, rxdbArm, workboxArm } from './arms.ts';
import type { Arm } from './arms.ts';
import { compareCommits } from './commits.ts';
import { shareOfBatchedLimit, timesFaster } from './goals.ts';
import { insertRows, timeBatches, timeStoreEach } from './limits.ts';
import type { Losses } from './losses.ts';
import { delays, startTestbed } from './testbed.ts';
import type { Delay, Testbed } from './testbed.ts';

const size = Number(process.env['BENCH_OPERATIONS'] ?? 1000);
const rounds = Number(process.env['BENCH_ROUNDS'] ?? 3);
const warmUpSize = 200;

const rivals = [workboxArm, restArm, rxdbArm, pouchArm];
const arms = [ourArm, ...rivals];

/** Milliseconds of each round, by the name of the arm or limit. */
class Results {
  private readonly times = new Map<string, number[]>();
  private readonly losses = new Map<string, Losses>();

  add(name: string, ms: number, losses: Losses = { lost: 0, doubled: 0 }): void {
    this.times.set(name, [...(this.times.get(name) ?? []), ms]);
    const before = this.losses.get(name) ?? { lost: 0, doubled: 0 };
    this.losses.set(name, { lost: before.lost + losses.lost, doubled: before.doubled + losses.doubled });
  }

  median(name: string): number {
    return summarise(this.times.get(name) ?? []).median;
  }

  print(): void {
    const ours = this.median(ourArm.name);
    for (const [name, times] of this.times) {
      const { median, worst } = summarise(times);
      const { lost, doubled } = this.losses.get(name)!;
      const figures = [
        perSecond(median),
        perSecond(worst),
        median.toFixed(0).padStart(8),
        (median / ours).toFixed(2).padStart(8),
      ];
      console.log(
        `${name.padEnd(36)} ${figures.join('  ')}  ${String(lost).padStart(5)}  ${String(doubled).padStart(7)}`,
      );
    }
  }
}

const perSecond = (ms: number): string => ((size / ms) * 1000).toFixed(0).padStart(9);

const limitNames = {
  store: 'limit: one IndexedDB transaction each',
  carry: 'limit: bare batches',
  insert: 'limit: bare inserts',
};
const settled = 'Dental Counter, including the feed';

async function measure(testbed: Testbed, delay: Delay): Promise<Results> {
  const results = new Results();
  for (let round = 0; round < rounds; round++) {
    let operations: AnyOperation[] = [];
    for (const arm of rotated(arms, round)) {
      const done = await arm.round(testbed, delay, size);
      results.add(arm.name, done.ms, done);
      if (done.settledMs === undefined) continue;
      results.add(settled, done.settledMs);
      for (const [part, ms] of Object.entries(done.spent ?? {})) results.add(`  step: ${part}`, ms);
      ({ operations } = done);
    }
    results.add(limitNames.store, await timeStoreEach(testbed, operations));
    results.add(limitNames.carry, await timeBatches(testbed, delay, operations));
    results.add(limitNames.insert, await insertRows(testbed, operations));
  }
  return results;
}

/** Rotates the list, so that each round begins with another arm. */
function rotated(list: readonly Arm[], by: number): Arm[] {
  const at = by % list.length;
  return [...list.slice(at), ...list.slice(0, at)];
}

function report(results: Results, delay: Delay): void {
  console.log(`\nSync: ${size} operations, ${delay} ms of delay, ${rounds} rounds`);
  console.log(`${''.padEnd(36)}  op/s med  op/s worst    ms med  × ours   lost  doubled`);
  results.print();
  const ours = results.median(ourArm.name);
  for (const { name } of rivals) {
    const goal = timesFaster[name]?.[delay];
    if (goal) printGoal(`${name}: times faster`, results.median(name) / ours, goal);
  }
  // Any client that sends batches needs at least the time to transfer the bytes and then to insert the rows.
  const limitMs = results.median(limitNames.carry) + results.median(limitNames.insert);
  printGoal('share of the batched limit', limitMs / ours, shareOfBatchedLimit);
}

function printGoal(title: string, reached: number, goal: number): void {
  console.log(`${reached >= goal ? 'reached' : 'MISSED '}  ${title}: ${reached.toFixed(2)}, goal ${goal}`);
}

export async function benchSync(): Promise<void> {
  const testbed = await startTestbed();
  try {
    for (const arm of arms) await arm.round(testbed, 0, warmUpSize);
    for (const delay of delays) report(await measure(testbed, delay), delay);
    await compareCommits(testbed);
  } finally {
    await testbed.end();
  }
}
