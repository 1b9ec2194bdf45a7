/** The end of every history: all faults end, and the system must settle within a bounded time. */
import type { SimulatedTablet } from './clients/tablet.ts';
import type { Simulation } from './simulation.ts';

/** Covers minutes, and an hour and a half when operations were deferred for long. */
const maxRounds = 12;

export async function recover(simulation: Simulation): Promise<void> {
  const { scheduler, clinic, clinics, senders } = simulation;
  const tablets = clinics.flatMap((one) => one.tablets);
  const renewSessions = async () => {
    for (const one of clinics) await scheduler.now(() => one.renewSessions(1));
  };
  scheduler.note('all', 'the network heals');
  await scheduler.now(() => clinic.releaseCommit());
  for (const { network } of clinics) network.isHealed = true;
  clinic.servers.heal();
  if (senders) senders.isHealed = true;
  for (const tablet of tablets) {
    tablet.isOnline = true;
    tablet.faults.length = 0;
    for (const host of tablet.hosts()) host.crashAfterAwaits = null;
  }
  // Calls that were sent long ago still arrive and are answered.
  await scheduler.runUntil(() => clinics.every(({ network }) => network.callsInFlight === 0));
  await scheduler.runFor(1000);
  await renewSessions();
  await scheduler.now(() => {
    for (const tablet of tablets) for (const host of tablet.hosts()) host.appUpdated();
  });
  // Syncs all tablets in rounds until a round causes no activity and no operation is deferred.
  let wasDeferred = false;
  let isStill = false;
  for (let round = 0; round < maxRounds; round++) {
    const activity = () => clinics.reduce((sum, one) => sum + one.activity, 0);
    const before = activity();
    for (const tablet of tablets) await scheduler.now(() => tablet.sync('asked'));
    await scheduler.runFor(wasDeferred && isStill ? 1_000_000 : 90_000);
    await renewSessions();
    const isDeferred = await hasDeferredOperations(tablets);
    isStill = before === activity();
    // What a tablet learns in the first round may free operations that it sends in the next.
    if (round > 0 && isStill && !isDeferred && !wasDeferred) break;
    wasDeferred = isDeferred;
  }
  if (senders) await sendRecords(simulation);
}

/** A sender that found no answer for long waits an hour, and a record that breaks the schema takes a call for each half. */
const maxCalls = 30;

/** Lets time pass until every record that waits for no document before it is sent and the agency is asked nothing more, and the tablets know what a manager is told of it. */
async function sendRecords({ scheduler, clinic, clinics, profile }: Simulation): Promise<void> {
  for (let calls = 0; calls < maxCalls; calls++) {
    const [found] = await clinic.cluster.query<{ waitMs: number }>(
      `select (extract(epoch from coalesce(max(due), $1)) * 1000)::float8 - $2 as "waitMs" from (
       select s.next_call_at as due from fiscal_sendings u
       join fiscal_records r on r.clinic_id = u.clinic_id and r.id = u.record_id
       left join fiscal_senders s using (tax_id)
       where u.state = 'unsent' and not exists (select from fiscal_sendings h
         join fiscal_records b on b.clinic_id = h.clinic_id and b.id = h.record_id
         where h.held_for <> 'agency' and b.clinic_id = r.clinic_id and b.chain = r.chain and b.device_id = r.device_id and b.id <= r.id)
       union all select greatest(i.next_at, s.next_call_at) from fiscal_inquiries i left join fiscal_senders s using (tax_id)) waiting
       having count(*) > 0`,
      [new Date(scheduler.nowMs), scheduler.nowMs],
    );
    if (!found) break;
    await scheduler.runFor(Math.max(0, found.waitMs) + 2 * profile.fiscal!.lookMs + 10_000);
  }
  for (const tablet of clinics.flatMap(({ tablets }) => tablets)) await scheduler.now(() => tablet.sync('asked'));
  await scheduler.runFor(30_000);
}

async function hasDeferredOperations(tablets: readonly SimulatedTablet[]): Promise<boolean> {
  const waiting = await Promise.all(
    tablets.map((tablet) => tablet.faultFreeDb().operation_states.where('queue_place').above(0).toArray()),
  );
  return waiting.some((states, index) => states.some(({ next_at }) => next_at > tablets[index]!.now()));
}
