/**
 * Several processes behind one port, for a machine with several cores. The primary accepts connections and passes each
 * to the next child, which serves it. Children are chosen by chance, so none keeps state that another needs.
 *
 * A child that ends is replaced. When told to stop, the primary stops all children and waits for them. When it is
 * killed, they end too, because their connection to it closes.
 */
import cluster from 'node:cluster';
import { setTimeout as delay } from 'node:timers/promises';

/** A child that cannot start is not retried at once: it would fail again. */
const againAfterMs = 1000;

/** Returns whether this process prints messages for all: the first child does while it lives. */
export const isSpokesman = (): boolean => cluster.isPrimary || cluster.worker!.id === 1;

/**
 * Starts `count` processes of a script and resolves when all of them accept connections.
 *
 * @returns a function that stops them; it rejects when a process ended with an error
 * @throws Error when a process cannot start
 */
export async function startProcesses(
  count: number,
  script: string,
  say: (line: string) => void,
): Promise<() => Promise<void>> {
  // This process may have been started by another script.
  cluster.setupPrimary({ exec: script, args: [], execArgv: [...process.execArgv, '--enable-source-maps'] });
  const stopping = new AbortController();

  /** Resolves when a child accepts connections; from then on the child is replaced when it ends. */
  function begin(): Promise<void> {
    const child = cluster.fork();
    return new Promise((resolve, reject) => {
      let hasServed = false;
      child.once('listening', () => {
        hasServed = true;
        resolve();
      });
      child.once('exit', (code, signal) => {
        if (!hasServed) reject(new Error(`A server process failed to start (${signal ?? code}).`));
        else if (!stopping.signal.aborted) replace(`A server process ended (${signal ?? code}) and is replaced.`);
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
    // A child that was still starting has nothing to complete, so SIGTERM may end it.
    const failed = codes.filter((code) => code !== 0 && code !== 'SIGTERM');
    if (failed.length > 0)
      throw new Error(
        `${failed.length} of ${codes.length} server processes exited with an error (${failed.join(', ')}).`,
      );
  };
}
