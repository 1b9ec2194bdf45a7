/**
 * A crash at each await of a scenario, and at each pair of them. An await is a request to IndexedDB (before it is made), a
 * commit (after it, before anyone hears of it), a call (before it leaves) and an answer (as it arrives).
 *
 * What a crash leaves behind is what was committed and what the server has; requests of one transaction leave the same. A
 * single crash is run at every await all the same. In pairs, awaits that leave the same behind stand for each other.
 */
import type { Engineering } from './engineering.ts';
import type { Profile } from './faults.ts';
import type { House } from './house.ts';
import type { Scenario, Stage } from './scenarios.ts';
import { Shift } from './shift.ts';
import type { Process } from './process.ts';

export interface Covered {
  /** Awaits at which the tablet was killed. */
  points: number;
  /** Pairs of awaits that those stand for which were run. */
  pairs: number;
  /** Histories that were run. */
  runs: number;
  failures: string[];
}

export async function crashEverywhere(house: House, scenario: Scenario): Promise<Covered> {
  const whole = await play(house, scenario, []);
  const covered: Covered = { points: whole.points.length, pairs: 0, runs: 1, failures: tell(scenario, [], whole) };
  const seconds = new Map<string, Point[]>();
  for (const [index, point] of whole.points.entries()) {
    const once = await play(house, scenario, [index]);
    covered.runs += 1;
    covered.failures.push(...tell(scenario, [index], once));
    const known = seconds.get(point.leaves);
    covered.pairs += once.points.length;
    if (known) continue;
    seconds.set(point.leaves, once.points);
    for (const second of firstOfEach(once.points)) {
      const twice = await play(house, scenario, [index, second]);
      covered.runs += 1;
      covered.failures.push(...tell(scenario, [index, second], twice));
    }
  }
  return covered;
}

/** One await of each group that leaves the same behind. */
function firstOfEach(points: readonly Point[]): number[] {
  const seen = new Set<string>();
  return points.flatMap(({ leaves }, index) => (seen.has(leaves) ? [] : (seen.add(leaves), index)));
}

interface Point {
  label: string;
  /** Names what a crash here leaves behind. */
  leaves: string;
}

interface Played {
  /** The awaits after the last crash, up to the end of the synchronisation that follows the work. */
  points: Point[];
  complaints: string[];
  history: string;
}

/** Any would do: the work is the same each time. */
const seed = 7;
const calm: Profile = {
  servers: 1,
  tablets: 1,
  host: 'worker',
  latencyMs: [20, 60],
  fates: { arrives: 1 },
  incidents: { nothing: 1 },
  pieces: 0,
  pauseMs: [0, 0],
  skewsMs: [],
};

export async function play(house: House, scenario: Scenario, crashes: readonly number[]): Promise<Played> {
  const counter = new CrashCounter(crashes);
  const shift = await Shift.open(seed, house, counter, { ...calm, tablets: scenario.tablets });
  const stage = stageOf(shift);
  await scenario.before?.(stage);
  counter.isCounting = true;
  counter.onCrash = () => (shift.stirrings += 1);
  await scenario.act(stage);
  // Whoever was killed is started again, and may be killed again.
  if (crashes.length > 0) await stage.syncs(0);
  counter.isCounting = false;
  const complaints = await shift.finish();
  return { points: counter.points, complaints, history: shift.world.history.toString() };
}

class CrashCounter implements Engineering {
  isCounting = false;
  onCrash = () => {};
  points: Point[] = [];
  private crashed = 0;
  private commits = 0;

  constructor(private readonly crashes: readonly number[]) {}

  onAwait = (process: Process, label: string): void => {
    if (!this.isCounting || process.tablet.name !== 'tablet1') return;
    if (label === 'committed' || label.startsWith('answer')) this.commits += 1;
    const index = this.points.length;
    this.points.push({ label, leaves: `${process.name.replace(/\d+$/, '')} after ${this.commits}` });
    if (index !== this.crashes[this.crashed]) return;
    process.tablet.parts.world.note(process.name, `dies at: ${label}`);
    process.die();
    this.points = [];
    this.crashed += 1;
    this.onCrash();
  };
}

function stageOf(shift: Shift): Stage {
  const { world, tablets, clinic, network } = shift;
  return {
    shift,
    does: async (tablet, ...jobs) => {
      for (const job of jobs) {
        await world.now(() => shift.begin(tablets[tablet]!.tab(), job));
        await world.runFor(1000);
      }
    },
    doAtOnce: async (tablet, jobs) => {
      await world.now(() => jobs.forEach((job, index) => shift.begin(tablets[tablet]!.tab(index), job)));
    },
    syncs: async (tablet) => {
      await world.now(() => tablets[tablet]!.sync('write'));
      await world.runFor(3000);
    },
    goesOffline: (tablet) => {
      tablets[tablet]!.isOnline = false;
    },
    comesBack: async (tablet) => {
      tablets[tablet]!.isOnline = true;
      await world.now(() => tablets[tablet]!.sync('online'));
      await world.runFor(3000);
    },
    signsIn: async (tablet, role) => {
      await world.now(() => tablets[tablet]!.signIn(clinic.people.find((person) => person.role === role)!));
      await world.now(() => tablets[tablet]!.sync('signed-in'));
    },
    losesNextReply: () => {
      network.nextFate = 'reply_lost';
    },
  };
}

function tell({ name }: Scenario, crashes: readonly number[], { complaints, history }: Played): string[] {
  return complaints.length === 0
    ? []
    : [`${name}, crashes at ${crashes.join(' and ') || 'no await'}:\n${history}\n${complaints.join('\n')}`];
}
