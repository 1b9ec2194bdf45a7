/** The network works again, and all must come to rest within a bounded time. */
import type { Simulation } from './simulation.ts';
import type { SimulatedTablet } from './clients/tablet.ts';

/** Within minutes, and within an hour and a half for what was put off for long. */
const mostRounds = 12;

export async function heal(simulation: Simulation): Promise<void> {
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
  // What was sent long ago still arrives, and is answered.
  await scheduler.runUntil(() => network.underWay === 0);
  await scheduler.runFor(1000);
  await scheduler.now(() => simulation.renewSessions(1));
  await scheduler.now(() => {
    for (const tablet of tablets) for (const host of tablet.hosts()) host.appUpdated();
  });
  // Round and round, until nobody has anything left to say, nor has put anything off.
  let wasPutOff = false;
  let isStill = false;
  for (let round = 0; round < mostRounds; round++) {
    const before = simulation.activity;
    for (const tablet of tablets) await scheduler.now(() => tablet.sync('asked'));
    await scheduler.runFor(wasPutOff && isStill ? 1_000_000 : 90_000);
    await scheduler.now(() => simulation.renewSessions(1));
    const isPutOff = await somethingIsPutOff(tablets);
    isStill = before === simulation.activity;
    if (isStill && !isPutOff && !wasPutOff) return;
    wasPutOff = isPutOff;
  }
}

async function somethingIsPutOff(tablets: readonly SimulatedTablet[]): Promise<boolean> {
  const waiting = await Promise.all(
    tablets.map((tablet) => tablet.faultFreeDb().operation_states.where('queue_place').above(0).toArray()),
  );
  return waiting.some((states, index) => states.some(({ next_at }) => next_at > tablets[index]!.now()));
}
