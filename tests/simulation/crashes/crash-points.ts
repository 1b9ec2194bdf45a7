/**
 * A crash at each await of a scenario, and at each pair of them. An await is a request to IndexedDB (before it is made), a
 * commit (after it, before anyone hears of it), a call (before it leaves) and an answer (as it arrives).
 *
 * What a crash leaves behind is what was committed and what the server has; requests of one transaction leave the same. A
 * single crash is run at every await all the same. In pairs, awaits that leave the same behind stand for each other.
 */
import type { Profile } from '../faults/profile.ts';
import type { Cluster } from '../cluster/cluster.ts';
import type { Scenario, ScenarioDriver } from './scenarios.ts';
import { Simulation } from '../simulation.ts';
import type { Process, ProcessHooks } from '../clients/process.ts';

export interface Covered {
  /** Awaits at which the tablet was killed. */
  points: number;
  /** Pairs of awaits that those stand for which were run. */
  pairs: number;
  /** Histories that were run. */
  runs: number;
  failures: string[];
}

export async function crashEverywhere(cluster: Cluster, scenario: Scenario): Promise<Covered> {
  const whole = await play(cluster, scenario, []);
  const covered: Covered = { points: whole.points.length, pairs: 0, runs: 1, failures: tell(scenario, [], whole) };
  const seconds = new Map<string, Point[]>();
  for (const [index, point] of whole.points.entries()) {
    const once = await play(cluster, scenario, [index]);
    covered.runs += 1;
    covered.failures.push(...tell(scenario, [index], once));
    const known = seconds.get(point.leaves);
    covered.pairs += once.points.length;
    if (known) continue;
    seconds.set(point.leaves, once.points);
    for (const second of firstOfEach(once.points)) {
      const twice = await play(cluster, scenario, [index, second]);
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
  violations: string[];
  history: string;
}

/** Any would do: the work is the same each time. */
const seed = 7;
const faultFree: Profile = {
  servers: 1,
  tablets: 1,
  host: 'worker',
  latencyMs: [20, 60],
  networkFaults: { arrives: 1 },
  incidents: { nothing: 1 },
  steps: 0,
  pauseMs: [0, 0],
  skewsMs: [],
};

export async function play(cluster: Cluster, scenario: Scenario, crashes: readonly number[]): Promise<Played> {
  const counter = new CrashCounter(crashes);
  const simulation = await Simulation.open(seed, cluster, counter, { ...faultFree, tablets: scenario.tablets });
  const driver = driverOf(simulation);
  await scenario.before?.(driver);
  counter.isCounting = true;
  counter.onCrash = () => (simulation.activity += 1);
  await scenario.act(driver);
  // Whoever was killed is started again, and may be killed again.
  if (crashes.length > 0) await driver.syncs(0);
  counter.isCounting = false;
  const violations = await simulation.finish();
  return { points: counter.points, violations, history: simulation.scheduler.history.toString() };
}

class CrashCounter implements ProcessHooks {
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
    process.tablet.parts.scheduler.note(process.name, `dies at: ${label}`);
    process.crash();
    this.points = [];
    this.crashed += 1;
    this.onCrash();
  };
}

function driverOf(simulation: Simulation): ScenarioDriver {
  const { scheduler, tablets, clinic, network } = simulation;
  return {
    simulation,
    does: async (tablet, ...actions) => {
      for (const action of actions) {
        await scheduler.now(() => simulation.start(tablets[tablet]!.tab(), action));
        await scheduler.runFor(1000);
      }
    },
    doAtOnce: async (tablet, actions) => {
      await scheduler.now(() =>
        actions.forEach((action, index) => simulation.start(tablets[tablet]!.tab(index), action)),
      );
    },
    syncs: async (tablet) => {
      await scheduler.now(() => tablets[tablet]!.sync('write'));
      await scheduler.runFor(3000);
    },
    goesOffline: (tablet) => {
      tablets[tablet]!.isOnline = false;
    },
    comesBack: async (tablet) => {
      tablets[tablet]!.isOnline = true;
      await scheduler.now(() => tablets[tablet]!.sync('online'));
      await scheduler.runFor(3000);
    },
    signsIn: async (tablet, role) => {
      await scheduler.now(() => tablets[tablet]!.signIn(clinic.people.find((person) => person.role === role)!));
      await scheduler.now(() => tablets[tablet]!.sync('signed-in'));
    },
    losesNextReply: () => {
      network.plannedFault = 'reply_lost';
    },
  };
}

function tell({ name }: Scenario, crashes: readonly number[], { violations, history }: Played): string[] {
  return violations.length === 0
    ? []
    : [`${name}, crashes at ${crashes.join(' and ') || 'no await'}:\n${history}\n${violations.join('\n')}`];
}
