/**
 * Runs one simulated history: tablets work while faults occur, then all faults end and the whole system must settle within a
 * bounded time. The seed determines everything.
 */
import './runtime/task-tracking.ts';
import { checkAgency } from './checkers/agency.ts';
import { checkFinalState } from './checkers/check.ts';
import { checkScreen } from './checkers/screen.ts';
import { actions, fiscalActions, patientIds } from './clients/workload.ts';
import type { SimulatedTablet } from './clients/tablet.ts';
import type { Cluster } from './cluster/cluster.ts';
import { injectIncident } from './faults/incidents.ts';
import { drawProfile } from './faults/profile.ts';
import { recover } from './recovery.ts';
import type { History } from './runtime/history.ts';
import { Simulation } from './simulation.ts';
import type { SimulationHooks } from './simulation.ts';
import { seededRandom } from '../support/random.ts';

export interface Simulated {
  history: History;
  /** The violations that the checkers found; empty when every invariant holds. */
  violations: string[];
}

export async function simulate(
  seed: number,
  cluster: Cluster,
  hooks: SimulationHooks = {},
  profile = drawProfile(seededRandom(seed, 'profile')),
): Promise<Simulated> {
  const simulation = await Simulation.open(seed, cluster, hooks, profile);
  try {
    await runWorkload(simulation);
    const violations = await recoverAndCheck(simulation);
    return { history: simulation.scheduler.history, violations };
  } finally {
    await simulation.senders?.close();
  }
}

async function runWorkload(simulation: Simulation): Promise<void> {
  const { profile, random, scheduler } = simulation;
  if (profile.servers > 1) simulation.clinic.servers.planUpgrade(profile.steps * profile.pauseMs[1]);
  if (profile.incidents.server_restored) await scheduler.now(() => simulation.saveBackup());
  // Many days begin by opening the drawer.
  if (random.happens(0.4)) await scheduler.now(() => simulation.start(simulation.tablets[0]!.tab(), 'open_drawer'));
  for (let step = 0; step < profile.steps; step++) {
    const incident = random.weighted(profile.incidents);
    if (incident !== 'nothing') await scheduler.now(() => injectIncident(simulation, incident));
    const tablet = random.pick(simulation.tablets);
    await work(simulation, tablet, incident === 'work_in_two_tabs_at_once');
    if (simulation.sister) await work(simulation.sister, simulation.sister.tablets[0]!, false);
    await scheduler.runFor(random.between(...profile.pauseMs));
    if (random.happens(0.35)) await scheduler.now(() => checkScreenNow(simulation, tablet));
  }
}

async function work(simulation: Simulation, tablet: SimulatedTablet, inTwoTabs: boolean): Promise<void> {
  const { random, scheduler } = simulation;
  await scheduler.now(() => startActions(simulation, tablet, inTwoTabs));
  await workOnPatients(simulation, tablet);
  if (random.happens(0.2)) await scheduler.now(() => tablet.sync(random.pick(['timer', 'visible', 'online'] as const)));
  await scheduler.now(() => simulation.renewSessions());
}

async function workOnPatients(simulation: Simulation, tablet: SimulatedTablet): Promise<void> {
  const { patientRandom: random, scheduler } = simulation;
  if (!random) return;
  if (random.happens(0.7))
    await scheduler.now(() => {
      simulation.start(tablet.tab(random.between(0, 1)), 'update_patient', random);
      tablet.sync('write');
    });
  if (!random.happens(0.06)) return;
  scheduler.history.count('incident patient_erased');
  await scheduler.now(() => simulation.erasePatient(random.pick(patientIds)));
}

function startActions(simulation: Simulation, tablet: SimulatedTablet, inTwoTabs: boolean): void {
  const { random, scheduler, profile } = simulation;
  const offered = profile.fiscal ? { ...actions, ...fiscalActions } : actions;
  const tabs = inTwoTabs ? [tablet.tab(0), tablet.tab(1)] : [tablet.tab(random.between(0, 1))];
  if (inTwoTabs) scheduler.history.count('incident work_in_two_tabs_at_once');
  for (const tab of tabs)
    simulation.start(tab, random.weighted<keyof typeof actions | keyof typeof fiscalActions>(offered));
  tablet.sync('write');
}

/** Checks one screen in the middle of the run, faults included. */
async function checkScreenNow({ scheduler, clientLog }: Simulation, tablet: SimulatedTablet): Promise<void> {
  const at = new Date(scheduler.nowMs).toISOString();
  clientLog.violations.push(...(await checkScreen(tablet)).map((violation) => `at ${at} ${violation}`));
}

/** Ends all faults, lets the system settle, and runs the checkers. @returns the violations of the whole run */
export async function recoverAndCheck(simulation: Simulation): Promise<string[]> {
  await recover(simulation);
  const checked = [];
  for (const one of simulation.clinics) {
    for (const { durable } of one.tablets) one.scheduler.history.count('operations', durable.length);
    checked.push(await checkFinalState(one));
  }
  return [
    ...simulation.clinics.flatMap(({ clientLog }) => clientLog.violations),
    ...checked.flatMap(({ violations }) => violations),
    ...(simulation.senders
      ? checkAgency(
          checked.map(({ final }) => final),
          simulation.senders.agency,
          simulation,
        )
      : []),
  ];
}
