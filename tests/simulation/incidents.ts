/** What befalls a tablet or the server between two pieces of work. */
import type { Incident } from './faults.ts';
import type { Shift } from './shift.ts';
import type { StorageTrouble } from './storage.ts';

export async function befall(shift: Shift, incident: Incident): Promise<void> {
  const { chance, world } = shift;
  const tablet = chance.pick(shift.tablets);
  const count = () => world.history.count(`incident ${incident}`);
  world.note(tablet.name, incident);
  switch (incident) {
    case 'offline_spell':
      count();
      tablet.isOnline = false;
      world.after(chance.between(5000, 600_000), () => {
        tablet.isOnline = true;
        if (chance.happens(0.7)) tablet.sync('online');
      });
      return;
    case 'session_ended':
      count();
      return shift.clinic.endSessions();
    case 'signed_out':
      count();
      await tablet.aside().session.delete('this');
      return;
    case 'tab_killed':
      count();
      tablet.tab(chance.between(0, 1)).fuse = chance.between(0, 25);
      return;
    case 'worker_killed':
      count();
      for (const host of tablet.hosts()) host.fuse = chance.between(0, 60);
      return;
    case 'connection_lost':
      count();
      chance.pick([tablet.tab(), ...tablet.hosts()]).loseConnection();
      return;
    case 'storage_full_at_write':
    case 'storage_full_at_commit':
    case 'storage_lost_at_write':
    case 'storage_lost_after_commit':
      count();
      tablet.troubles.push(incident.slice('storage_'.length) as StorageTrouble);
      return;
    case 'clock_jumped':
      count();
      tablet.skewMs += chance.pick([-86_400_000, -600_000, 45_000, 3_600_000, 86_400_000]);
      return;
    case 'server_restored':
      if (!shift.backup) return shift.keepBackup();
      count();
      return shift.restore();
    case 'poison_planted':
      count();
      shift.begin(tablet.tab(), 'plant_poison');
      return;
    case 'newer_app_writes':
      count();
      tablet.hasNewerApp = true;
      return;
    case 'other_person_takes_over':
      count();
      return shift.takeOver(tablet);
    case 'work_in_two_tabs_at_once':
  }
}
