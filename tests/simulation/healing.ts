/** The network works again, and all must come to rest within a bounded time. */
import type { Shift } from './shift.ts';
import type { Tablet } from './tablet.ts';

/** Within minutes, and within an hour and a half for what was put off for long. */
const mostRounds = 12;

export async function heal(shift: Shift): Promise<void> {
  const { world, network, clinic, tablets } = shift;
  world.note('all', 'the network heals');
  await world.now(() => clinic.letGo());
  network.isHealed = true;
  clinic.fleet.heal();
  for (const tablet of tablets) {
    tablet.isOnline = true;
    tablet.troubles.length = 0;
    for (const host of tablet.hosts()) host.fuse = null;
  }
  // What was sent long ago still arrives, and is answered.
  await world.runUntil(() => network.underWay === 0);
  await world.runFor(1000);
  await world.now(() => shift.lookAfterSessions(1));
  await world.now(() => {
    for (const tablet of tablets) for (const host of tablet.hosts()) host.appUpdated();
  });
  // Round and round, until nobody has anything left to say, nor has put anything off.
  let wasPutOff = false;
  let isStill = false;
  for (let round = 0; round < mostRounds; round++) {
    const before = shift.stirrings;
    for (const tablet of tablets) await world.now(() => tablet.sync('asked'));
    await world.runFor(wasPutOff && isStill ? 1_000_000 : 90_000);
    await world.now(() => shift.lookAfterSessions(1));
    const isPutOff = await somethingIsPutOff(tablets);
    isStill = before === shift.stirrings;
    if (isStill && !isPutOff && !wasPutOff) return;
    wasPutOff = isPutOff;
  }
}

async function somethingIsPutOff(tablets: readonly Tablet[]): Promise<boolean> {
  const waiting = await Promise.all(
    tablets.map((tablet) => tablet.aside().operation_states.where('queue_place').above(0).toArray()),
  );
  return waiting.some((states, index) => states.some(({ next_at }) => next_at > tablets[index]!.now()));
}
