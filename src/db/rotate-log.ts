import { Dexie } from 'dexie';

/**
 * Lets Chromium begin a new log for the databases of this origin. Never fails. Call it once after each start of the app.
 *
 * A crash may tear the last record of the log. LevelDB skips that record and goes on writing behind it, so the next start finds
 * a damaged log, and Chromium deletes all databases, also what it had confirmed as on the disk (google/leveldb#1287). To delete
 * a database compacts its keys, and that moves the whole log into a table.
 */
export async function rotateLog(): Promise<void> {
  const scratch = new Dexie('log-rotation');
  scratch.version(1).stores({});
  try {
    await scratch.open();
    await scratch.delete();
  } catch {
    // Another tab is doing the same, or the storage fails: then the next write says so.
  }
}
