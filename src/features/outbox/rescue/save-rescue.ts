/** Saves the unsent operations of this device as a rescue file. */
import type { ClinicDatabase } from '#src/db/database.ts';
import type { OutboxEntry } from '#src/db/dependants.ts';
import { browserPorts } from '#src/db/ports.ts';
import { syncRow } from '#src/db/singletons.ts';
import { download } from '#src/ui/download.ts';
import { sealRescue } from './rescue-file.ts';

export async function saveRescueFile(db: ClinicDatabase, entries: OutboxEntry[], passphrase: string): Promise<void> {
  const [device, { epoch }] = await Promise.all([db.device.get('this'), syncRow(db)]);
  if (!device) throw new Error('The device has queued operations but is not enrolled.');
  const { device_id, code, next_seq } = device;
  const saved_at = browserPorts.now();
  const file = await sealRescue(
    { saved_at, epoch, device: { device_id, code, next_seq }, entries },
    passphrase,
    (bytes) => browserPorts.random(bytes),
  );
  const day = new Date(saved_at).toISOString().slice(0, 16).replace(/[:T]/g, '-');
  download(new Blob([file], { type: 'application/octet-stream' }), `rescue-${code}-${day}.dcrescue`);
}
