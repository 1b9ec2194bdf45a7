/**
 * Ends the engine's waits that have no end. An engine may be left without any answer: WebKit has lost calls to storage, and
 * its timeouts of requests rest on signals that are collected as garbage. The engine would keep the lock, and no other one
 * could work. So each call to a port has a time limit. A call that is given up may still take effect later, which does as
 * little harm as a second engine without the lock.
 */
import type { EngineStep } from '#src/db/engine-messages.ts';
import type { Clock, Net } from './ports.ts';
import type { SyncStore } from './store.ts';
import { timeoutMs } from './transport.ts';

/** `storage-fault.ts` counts it as a lost connection, by this name. */
class StandstillError extends Error {
  override readonly name = 'StandstillError';
}

const storageLimitMs = 15_000;
/** Of transactions that write a whole feed. */
export const longStorageLimitMs = 90_000;
/** More than the request's own timeout. */
const netLimitMs = timeoutMs + 10_000;

const long: readonly (keyof SyncStore)[] = ['applyFeed', 'addPatients', 'recordResults', 'prune'];

export interface Watch {
  store(store: SyncStore): SyncStore;
  /** A request that the engine gives up counts as one without a reply. */
  net(net: Net): Net;
  /** Returns the calls that have no answer yet. */
  steps(): EngineStep[];
}

export function watchCalls(clock: Clock, onStandstill: (step: EngineStep) => void): Watch {
  const running = new Set<EngineStep>();

  function within<Result>(name: string, limitMs: number, call: () => Promise<Result>): Promise<Result> {
    const step: EngineStep = { name, sinceMs: clock.now() };
    running.add(step);
    return new Promise<Result>((resolve, reject) => {
      const cancel = clock.after(limitMs, () => {
        if (running.delete(step)) onStandstill(step);
        reject(new StandstillError(name));
      });
      void call()
        .then(resolve, reject)
        .finally(() => {
          cancel();
          running.delete(step);
        });
    });
  }

  return {
    store: (store) =>
      Object.fromEntries(
        Object.entries(store).map(([name, call]: [string, (...given: never[]) => Promise<unknown>]) => [
          name,
          (...given: never[]) =>
            within(name, long.includes(name as keyof SyncStore) ? longStorageLimitMs : storageLimitMs, () =>
              call(...given),
            ),
        ]),
      ) as unknown as SyncStore,
    net: (net) => (call) =>
      within(call.path.split('?')[0]!, netLimitMs, () => net(call)).catch((error: unknown) => {
        if (error instanceof StandstillError) return null;
        throw error;
      }),
    steps: () => [...running],
  };
}
