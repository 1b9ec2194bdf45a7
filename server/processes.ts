/**
 * Several processes behind one port, for a machine with several cores. This one takes the connections and hands each to the
 * next of its children, which serve: whom a caller meets is chance, so nothing that must hold lies in one of them.
 *
 * A child that ends by itself is started again. Told to stop, this one tells all and ends when they have; killed, it takes
 * them along, because each of them ends when nobody is left to hand it connections.
 */
import cluster from 'node:cluster';
import { setTimeout as delay } from 'node:timers/promises';

/** Of a child that cannot even start, another try at once would not fare better. */
const againAfterMs = 1000;

/** Whether this process speaks for all: of several, the first child does, as long as it lives. */
export const isSpokesman = (): boolean => cluster.isPrimary || cluster.worker!.id === 1;

/**
 * Starts so many processes of a script, and resolves when all of them take connections.
 *
 * @returns what ends them: it resolves when the last has ended, and rejects when one did not end in order
 * @throws when one cannot start
 */
export async function startProcesses(
  count: number,
  script: string,
  say: (line: string) => void,
): Promise<() => Promise<void>> {
  // The parent may have been started by another script, which set things up.
  cluster.setupPrimary({ exec: script, args: [], execArgv: [...process.execArgv, '--enable-source-maps'] });
  const stopping = new AbortController();

  /** Resolves when a child takes connections; from then on there is one in its place. */
  function begin(): Promise<void> {
    const child = cluster.fork();
    return new Promise((resolve, reject) => {
      let hasServed = false;
      child.once('listening', () => {
        hasServed = true;
        resolve();
      });
      child.once('exit', (code, signal) => {
        if (!hasServed) reject(new Error(`A process could not start (${signal ?? code}).`));
        else if (!stopping.signal.aborted) replace(`A process ended (${signal ?? code}). Another takes its place.`);
      });
    });
  }

  function replace(why: string): void {
    say(why);
    begin().catch(async ({ message }: Error) => {
      await delay(againAfterMs, undefined, { signal: stopping.signal }).then(
        () => replace(message),
        () => undefined,
      );
    });
  }

  await Promise.all(Array.from({ length: count }, begin));
  return async () => {
    stopping.abort();
    const children = Object.values(cluster.workers ?? {}).filter((child) => child !== undefined);
    const codes = await Promise.all(
      children.map(async (child) => {
        const exited = new Promise<number | string>((resolve) =>
          child.once('exit', (code, signal) => resolve(signal ?? code)),
        );
        child.process.kill('SIGTERM');
        return exited;
      }),
    );
    // One that was only just beginning had nothing to bring to its end.
    const failed = codes.filter((code) => code !== 0 && code !== 'SIGTERM');
    if (failed.length > 0)
      throw new Error(`Of ${codes.length} processes ${failed.length} did not end in order (${failed.join(', ')}).`);
  };
}
