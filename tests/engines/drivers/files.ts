/** Files that a browser writes into a folder while a test looks. */
import { readdir, stat } from 'node:fs/promises';
import path from 'node:path';

/** Both engines write the parts of a download elsewhere or under such a name. */
const unfinished = /\.(part|wkdownload)$/;
const sizes = new Map<string, number>();

/** Returns the files that have not grown since the last call, oldest first. */
export async function finishedFiles(folder: string): Promise<string[]> {
  const finished: { file: string; at: number }[] = [];
  for (const name of await readdir(folder)) {
    const file = path.join(folder, name);
    const { size, mtimeMs } = await stat(file);
    if (size > 0 && sizes.get(file) === size && !unfinished.test(name)) finished.push({ file, at: mtimeMs });
    sizes.set(file, size);
  }
  return finished.sort((a, b) => a.at - b.at).map(({ file }) => file);
}
