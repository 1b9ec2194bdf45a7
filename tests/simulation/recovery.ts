/** The end of every history: all faults end, and the system must settle within a bounded time. */
import type { SimulatedTablet } from './clients/tablet.ts';
import type { Simulation } from './simulation.ts';

/** Covers minutes, and an hour and a half when operations were deferred for long. */
const maxRounds = 12;

export async function recover(simulation: Simulation): Promise<void> {
  const { scheduler, network, clinic, tablets } = simulation;
  scheduler.note('all', 'the network heals');
  await scheduler.now(() => clinic.releaseCommit());
  network.isHealed = true;
  clinic.servers.heal();
  for (const tablet of tablets) {
    tablet.isOnline = true;
    tablet.faults.length = 0;
    for (const host of tablet.hosts()) host.crashAfterAwaits = null;
  }
  // Calls that were sent long ago still arrive and are answered.
  await scheduler.runUntil(() => network.callsInFlight === 0);
  await scheduler.runFor(1000);
  await scheduler.now(() => simulation.renewSessions(1));
  await scheduler.now(() => {
    for (const tablet of tablets) for (const host of tablet.hosts()) host.appUpdated();
  });
  // Syncs all tablets in rounds until a round causes no activity and no operation is deferred.
  let wasDeferred = false;
  let isStill = false;
  for (let round = 0; round < maxRounds; round++) {
    const before = simulation.activity;
    for (const tablet of tablets) await scheduler.now(() => tablet.sync('asked'));
    await scheduler.runFor(wasDeferred && isStill ? 1_000_000 : 90_000);
    await scheduler.now(() => simulation.renewSessions(1));
    const isDeferred = await hasDeferredOperations(tablets);
    isStill = before === simulation.activity;
    if (isStill && !isDeferred && !wasDeferred) return;
    wasDeferred = isDeferred;
  }
}

async function hasDeferredOperations(tablets: readonly SimulatedTablet[]): Promise<boolean> {
  const waiting = await Promise.all(
    tablets.map((tablet) => tablet.faultFreeDb().operation_states.where('queue_place').above(0).toArray()),
  );
  return waiting.some((states, index) => states.some(({ next_at }) => next_at > tablets[index]!.now()));
}
