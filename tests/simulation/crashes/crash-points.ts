/**
 * Crashes a tablet, or the sender of fiscal records, at each await of a scenario, and at each pair of awaits. Awaits of a tablet are: a request to IndexedDB (before it is
 * made), a commit (before the process learns of it), a call (before it is sent) and a reply (as it arrives). A sender's are each statement (before and
 * after it), its call, and the answer.
 *
 * A crash leaves what was committed and what the server has, so all awaits between two commits leave the same state. One await
 * represents all that leave the same state: in pairs always, and in single crashes unless the run is complete. Only a complete run
 * has pairs.
 */
import type { FiscalProfile, Profile } from '../faults/profile.ts';
import type { Cluster } from '../cluster/cluster.ts';
import type { Scenario, ScenarioDriver } from './scenarios.ts';
import { recoverAndCheck } from '../simulate.ts';
import { Simulation } from '../simulation.ts';
import type { SimulationHooks } from '../simulation.ts';
import type { SenderProcess } from '../agency/sender-process.ts';
import type { Process } from '../clients/process.ts';

export interface Covered {
  /** Number of awaits at which the tablet crashed. */
  points: number;
  /** Number of pairs of awaits that the runs represent. */
  pairs: number;
  /** Number of histories. */
  runs: number;
  failures: string[];
}

export async function crashEverywhere(
  cluster: Cluster,
  scenario: Scenario,
  { isComplete }: { isComplete: boolean },
): Promise<Covered> {
  const whole = await play(cluster, scenario, []);
  const covered: Covered = {
    points: whole.points.length,
    pairs: 0,
    runs: 1,
    failures: describeFailure(scenario, [], whole),
  };
  const crash = async (...crashes: number[]): Promise<Played> => {
    const played = await play(cluster, scenario, crashes);
    covered.runs += 1;
    covered.failures.push(...describeFailure(scenario, crashes, played));
    return played;
  };
  const representatives = firstOfEach(whole.points);
  for (const first of isComplete ? whole.points.keys() : representatives) {
    const { points } = await crash(first);
    if (!isComplete || !representatives.includes(first)) continue;
    covered.pairs += points.length;
    for (const second of firstOfEach(points)) await crash(first, second);
  }
  return covered;
}

/** Returns one await of each group that leaves the same state. */
function firstOfEach(points: readonly Point[]): number[] {
  const seen = new Set<string>();
  return points.flatMap(({ stateAfter }, index) => (seen.has(stateAfter) ? [] : (seen.add(stateAfter), index)));
}

interface Point {
  label: string;
  /** Identifies the state that a crash at this await leaves. */
  stateAfter: string;
}

interface Played {
  /** The awaits after the last crash, up to the end of the sync that follows the scenario. */
  points: Point[];
  violations: string[];
  history: string;
}

/** Arbitrary; every run of a scenario uses the same seed. */
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
  offlineMs: [0, 0],
  fiscal: null,
  skewsMs: [],
};

/** Nothing is sent by itself within the time of a scenario. */
const patientAgency: FiscalProfile = {
  hasSister: false,
  lookMs: 60_000,
  agencyFaults: { answers: 1 },
  verdicts: { accepts: 1 },
  tellsHash: false,
};

export async function play(cluster: Cluster, scenario: Scenario, crashes: readonly number[]): Promise<Played> {
  const counter = new CrashCounter(crashes);
  const { tablets, fiscal } = scenario;
  const profile = { ...faultFree, tablets, fiscal: fiscal ? patientAgency : null };
  const simulation = await Simulation.open(seed, cluster, counter, profile);
  try {
    const driver = driverOf(simulation);
    await scenario.before?.(driver);
    counter.counts = fiscal?.crashes ?? 'tablet';
    counter.onCrash = () => (simulation.activity += 1);
    await scenario.act(driver);
    // The crashed process restarts, and may crash again. A sender waits until the call may not be under way any more.
    if (crashes.length > 0)
      await (counter.counts === 'tablet' ? driver.syncs(0) : driver.simulation.scheduler.runFor(240_000));
    counter.counts = null;
    const violations = await recoverAndCheck(simulation);
    return { points: counter.points, violations, history: simulation.scheduler.history.toString() };
  } finally {
    await simulation.senders?.close();
  }
}

/** What a sender has done that outlives it. */
const lasting = /^(?:after (?:save pace|count sending attempt|commit)|call|answer)$/;

class CrashCounter implements SimulationHooks {
  /** Whose awaits are counted. */
  counts: 'tablet' | 'sender' | null = null;
  onCrash = () => {};
  points: Point[] = [];
  private crashed = 0;
  private commits = 0;

  constructor(private readonly crashes: readonly number[]) {}

  onAwait = (process: Process, label: string): void => {
    if (this.counts !== 'tablet' || process.tablet.name !== 'tablet1') return;
    if (label === 'committed' || label.startsWith('reply')) this.commits += 1;
    this.meet(label, process.name.replace(/\d+$/, ''), () => {
      process.tablet.parts.scheduler.note(process.name, `crashes at: ${label}`);
      process.crash();
    });
  };

  onSenderAwait = (process: SenderProcess, label: string): void => {
    if (this.counts !== 'sender') return;
    if (lasting.test(label)) this.commits += 1;
    this.meet(label, 'sender', () => process.die());
  };

  private meet(label: string, who: string, crash: () => void): void {
    const index = this.points.length;
    this.points.push({ label, stateAfter: `${who} after ${this.commits}` });
    if (index !== this.crashes[this.crashed]) return;
    crash();
    this.points = [];
    this.crashed += 1;
    this.onCrash();
  }
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
    sends: async () => {
      await scheduler.now(() => simulation.senders!.look(0));
      await scheduler.runFor(5000);
    },
    losesNextReply: () => {
      network.plannedFault = 'reply_lost';
    },
  };
}

function describeFailure({ name }: Scenario, crashes: readonly number[], { violations, history }: Played): string[] {
  return violations.length === 0
    ? []
    : [`${name}, crashes at await ${crashes.join(' and ') || 'none'}:\n${history}\n${violations.join('\n')}`];
}
