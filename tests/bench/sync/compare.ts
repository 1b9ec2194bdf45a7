/**
 * Sends sales with each arm, and prints the speed of each and its lost and doubled operations. Rounds are interleaved, so
 * that other load on the machine affects all arms alike, and ratios are those of one round.
 */
import type { AnyOperation } from '#domain/protocol/operations.ts';
import type { Figure, Form, Losses } from '../figures.ts';
import { goals } from '../goals.ts';
import { summarise } from '../statistics.ts';
import { ourArm, rivals } from './arms.ts';
import type { Arm } from './arms.ts';
import { insertRows, timeBatches, timeStoreEach } from './limits.ts';
import { startTestbed } from './testbed.ts';
import type { Delay, Testbed } from './testbed.ts';

const arms: readonly Arm[] = [ourArm, ...Object.values(rivals)];
const delays = { sync: 0, 'sync-far': 50 } as const;

interface Sizes {
  rounds: number;
  /** Sales of a round, and of one of a sequential arm. */
  sales: number;
  sequential: number;
}

/** Milliseconds per sale of each round, by the name of the arm or limit. */
class Results {
  private readonly times = new Map<string, number[]>();
  private readonly losses = new Map<string, Losses>();

  add(name: string, ms: number, sales: number, { lost, doubled }: Losses = { lost: 0, doubled: 0 }): void {
    this.times.set(name, [...this.of(name), ms / sales]);
    const before = this.lossesOf(name);
    this.losses.set(name, { lost: before.lost + lost, doubled: before.doubled + doubled });
  }

  of(name: string): number[] {
    return this.times.get(name) ?? [];
  }

  lossesOf(name: string): Losses {
    return this.losses.get(name) ?? { lost: 0, doubled: 0 };
  }

  /** Returns, by round, how many times as long the one takes as the other. */
  timesAsLong(one: string, other: string): number[] {
    const others = this.of(other);
    return this.of(one).map((ms, round) => ms / others[round]!);
  }

  print(): void {
    const figure = (msEach: number) => (1000 / msEach).toFixed(0).padStart(9);
    for (const [name, times] of this.times) {
      const { median, worst } = summarise(times);
      const { lost, doubled } = this.lossesOf(name);
      console.log(
        `${name.padEnd(46)} ${figure(median)}  ${figure(worst)}  ${String(lost).padStart(5)}  ${String(doubled).padStart(7)}`,
      );
    }
  }
}

/** Any client that sends batches needs at least the time to transfer the bytes and then to insert the rows. */
const batchedLimit = 'limit: bare batches, then bare inserts';
const storeLimit = 'limit: one IndexedDB transaction each';

async function measure(testbed: Testbed, delay: Delay, { rounds, sales, sequential }: Sizes): Promise<Results> {
  const results = new Results();
  for (let round = 0; round < rounds; round++) {
    let ours: AnyOperation[] = [];
    for (const arm of rotated(arms, round)) {
      const count = arm.isSequential ? sequential : sales;
      const done = await arm.round(testbed, delay, count);
      results.add(arm.name, done.ms, count, done);
      if (arm === ourArm) ours = done.operations;
    }
    const carried = await timeBatches(testbed, delay, ours);
    results.add(batchedLimit, carried + (await insertRows(testbed, ours)), sales);
    results.add(storeLimit, await timeStoreEach(testbed, ours), sales);
  }
  return results;
}

/** Rotates the list, so that each round begins with another arm. */
function rotated(list: readonly Arm[], by: number): Arm[] {
  const at = by % list.length;
  return [...list.slice(at), ...list.slice(0, at)];
}

function figuresOf(results: Results, section: keyof typeof delays): Figure[] {
  const { ours, limit, ...faster } = goals[section];
  const losses = results.lossesOf(ourArm.name);
  return [
    {
      goal: ours,
      values: results.of(ourArm.name).map((msEach) => 1000 / msEach),
      ratios: results.timesAsLong(storeLimit, ourArm.name),
      losses,
    },
    { goal: limit, values: results.timesAsLong(batchedLimit, ourArm.name), losses },
    ...Object.entries(rivals).map(([name, rival]) => ({
      goal: faster[name as keyof typeof rivals],
      values: results.timesAsLong(rival.name, ourArm.name),
      losses: results.lossesOf(rival.name),
    })),
  ];
}

export async function benchSync({ short }: Form, section: keyof typeof delays): Promise<Figure[]> {
  const delay = delays[section];
  const testbed = await startTestbed();
  try {
    for (const arm of arms) await arm.round(testbed, 0, arm.isSequential ? 10 : 100);
    const sizes: Sizes = { rounds: short ? 1 : 3, sales: 500, sequential: delay === 0 ? 100 : 30 };
    const results = await measure(testbed, delay, sizes);
    console.log(
      `\nSync: ${sizes.sales} sales (${sizes.sequential} one by one), ${delay} ms of delay, ${sizes.rounds} rounds`,
    );
    console.log(`${''.padEnd(46)}  per s med  per s worst   lost  doubled`);
    results.print();
    return figuresOf(results, section);
  } finally {
    await testbed.end();
  }
}
