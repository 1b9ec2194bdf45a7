import { statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';

/** Linux keeps what lies here in memory. */
const inMemory = '/dev/shm';
const enoughBytes = 3 * 1024 ** 3;

/**
 * Returns the folder for files that only a test run needs: in memory where the machine has room for them, and the one for temporary files
 * otherwise. A run makes and deletes some hundred thousand small files, which takes a disk up to a third of the run.
 */
export function memoryFolder(): string {
  try {
    const { bavail, bsize } = statfsSync(inMemory);
    return bavail * bsize >= enoughBytes ? inMemory : tmpdir();
  } catch {
    return tmpdir();
  }
}
