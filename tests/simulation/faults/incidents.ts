/** Injects the incidents of a history: events that hit a tablet or the server between two actions. */
import type { AnyOperation } from '#domain/protocol/operations.ts';
import type { BatchReply } from '#domain/protocol/sync.ts';
import { unsettledEntries } from '#src/db/queries/tray.ts';
import { sendRescued } from '#src/features/outbox/rescue/send-rescued.ts';
import type { Posted } from '#src/features/outbox/rescue/send-rescued.ts';
import type { Incident } from './profile.ts';
import type { Simulation } from '../simulation.ts';
import type { StorageFault } from './storage.ts';
import type { SimulatedTablet } from '../clients/tablet.ts';

export async function injectIncident(simulation: Simulation, incident: Incident): Promise<void> {
  const { random, scheduler } = simulation;
  const tablet = random.pick(simulation.tablets);
  const count = () => scheduler.history.count(`incident ${incident}`);
  scheduler.note(tablet.name, incident);
  switch (incident) {
    case 'offline_spell':
      count();
      tablet.isOnline = false;
      scheduler.after(random.between(...simulation.profile.offlineMs), () => {
        tablet.isOnline = true;
        if (random.happens(0.7)) tablet.sync('online');
      });
      return;
    case 'session_ended':
      count();
      return simulation.clinic.endSessions();
    case 'signed_out':
      count();
      await tablet.faultFreeDb().session.delete('this');
      return;
    case 'tab_killed':
      count();
      tablet.tab(random.between(0, 1)).crashAfterAwaits = random.between(0, 25);
      return;
    case 'worker_killed':
      count();
      for (const host of tablet.hosts()) host.crashAfterAwaits = random.between(0, 60);
      return;
    case 'connection_lost':
      count();
      random.pick([tablet.tab(), ...tablet.hosts()]).loseConnection();
      return;
    case 'storage_full_at_write':
    case 'storage_full_at_commit':
    case 'storage_lost_at_write':
    case 'storage_lost_after_commit':
      count();
      tablet.faults.push(incident.slice('storage_'.length) as StorageFault);
      return;
    case 'clock_jumped':
      count();
      tablet.hasJumped = true;
      tablet.skewMs += random.pick([-86_400_000, -600_000, 45_000, 3_600_000, 86_400_000]);
      return;
    case 'server_restored':
      if (!simulation.backup) return simulation.saveBackup();
      count();
      return simulation.restore();
    case 'poison_written':
      count();
      simulation.start(tablet.tab(), 'write_poison');
      return;
    case 'newer_app_writes':
      count();
      tablet.hasNewerApp = true;
      return;
    case 'other_person_takes_over':
      count();
      return simulation.changeUser(tablet);
    case 'rescue_file_sent':
      if (await sendRescueFile(simulation, tablet)) count();
      return;
    case 'item_deleted':
      if (await deleteItem(simulation)) count();
      return;
    case 'storage_cloned':
      if (simulation.tablets.some(({ isClone }) => isClone)) return;
      count();
      simulation.tablets.push(await tablet.clone(`tablet${simulation.tablets.length + 1}`));
      return;
    case 'long_offline_shift':
      count();
      tablet.isOnline = false;
      simulation.start(tablet.tab(), 'count_stock');
      scheduler.after(60_000, () => {
        tablet.isOnline = true;
        tablet.sync('online');
      });
      return;
    case 'work_in_two_tabs_at_once':
  }
}

/** Uploads a tablet's rescue file as another person, twice, as people do who do not remember the first time. */
async function sendRescueFile(
  { clinic, random, clientLog, rescued }: Simulation,
  tablet: SimulatedTablet,
): Promise<boolean> {
  const operations = (await unsettledEntries(tablet.faultFreeDb())).map(({ operation }) => operation);
  // The app that wrote a rescue file uploads it, and the server may not know the operations of a newer app.
  if (operations.length === 0 || tablet.newerOperations.size > 0) return false;
  const uploader = random.pick(clinic.people);
  const token = await clinic.signIn(uploader);
  const post = async (batch: AnyOperation[]): Promise<Posted> => {
    const call = { method: 'POST', path: '/sync/batch', token, body: JSON.stringify({ operations: batch }) } as const;
    const answer = await clinic.call(call);
    clientLog.recordReply(call, answer);
    const reply = answer?.json as BatchReply;
    for (const { op_id, status, replayed } of reply.data.results)
      if (status !== 'waiting' && !replayed) rescued.set(op_id, uploader.id);
    return { ok: true, reply };
  };
  for (let times = 0; times < 2; times++) {
    await sendRescued({
      operations,
      post,
      outcomes: new Map(),
      onOutcomes: () => undefined,
      signal: new AbortController().signal,
    });
  }
  return true;
}

/** Deletes a service from the catalogue while tablets may still sell it. At least two services always remain. */
async function deleteItem({ clinic, random, scheduler }: Simulation): Promise<boolean> {
  const left = await clinic.cluster.query<{ table: string; id: number }>(
    `select 'stock_items' as table, id from stock_items where clinic_id = $1 and deleted_at is null
     union all select 'products', id from products where clinic_id = $1 and deleted_at is null order by 1, 2`,
    [clinic.id],
  );
  if (left.length < 3) return false;
  const { table, id } = random.pick(left);
  // The update needs its row lock, which a held commit may have.
  await clinic.releaseCommit();
  await clinic.cluster.query(`update ${table} set deleted_at = $3, updated_at = $3 where clinic_id = $1 and id = $2`, [
    clinic.id,
    id,
    new Date(scheduler.nowMs),
  ]);
  return true;
}
