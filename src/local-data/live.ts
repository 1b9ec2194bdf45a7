/** Observes data less often than they change, and once for all components that show them. */
import { Dexie } from 'dexie';
import type { ObservabilitySet, Table } from 'dexie';
import { useObservable } from 'dexie-react-hooks';
import { useEffect, useEffectEvent, useState } from 'react';

/** The worker writes several times for each sale, and all the time while a long outbox drains. */
const gatheredMs = 250;

/**
 * Calls back after changes of tables, here, in other tabs and by the worker: at once after the first change, then once for
 * all changes of a moment, so that a tap meanwhile does not wait for a query per change.
 *
 * @returns a function that stops this
 */
export function onChange(tables: readonly Table[], listener: () => void): () => void {
  const prefixes = tables.map(({ db, name }) => `idb://${db.name}/${name}/`);
  let timer: ReturnType<typeof setTimeout> | undefined;
  let calledAtMs = Number.NEGATIVE_INFINITY;
  const note = (parts: ObservabilitySet) => {
    if (timer !== undefined) return;
    if (!Object.keys(parts).some((part) => prefixes.some((prefix) => part.startsWith(prefix)))) return;
    timer = setTimeout(
      () => {
        timer = undefined;
        calledAtMs = performance.now();
        listener();
      },
      calledAtMs + gatheredMs - performance.now(),
    );
  };
  Dexie.on('storagemutated', note);
  return () => {
    clearTimeout(timer);
    Dexie.on.storagemutated.unsubscribe(note);
  };
}

/**
 * When a query that has failed runs again. Firefox ends the transactions that begin while a page opens a window or prints, and
 * promises wait meanwhile. A document does one half a second after the other, so the second attempt may be interrupted too.
 */
const pausesMs = [0, 100, 700];

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

const uninterrupted =
  <Value>(query: () => Value | Promise<Value>) =>
  async (): Promise<Value> => {
    for (const ms of pausesMs) {
      try {
        // oxlint-disable-next-line no-await-in-loop -- Each attempt follows the failure of the one before.
        return await query();
      } catch {
        // oxlint-disable-next-line no-await-in-loop -- As above.
        await pause(ms);
      }
    }
    return query();
  };

/** Observes a query by Dexie, which must begin each attempt itself: it notes what a query reads. */
export function liveQuery<Value>(query: () => Value | Promise<Value>) {
  const live = Dexie.liveQuery(query);
  const subscribe = (next: (value: Value) => void, report?: (error: unknown) => void) => {
    let failures = 0;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const begin = () =>
      live.subscribe(
        (value) => {
          failures = 0;
          next(value);
        },
        (error) => {
          const ms = pausesMs[failures++];
          if (ms === undefined) return report?.(error);
          running.unsubscribe();
          timer = setTimeout(() => (running = begin()), ms);
        },
      );
    let running = begin();
    return {
      unsubscribe: () => {
        clearTimeout(timer);
        running.unsubscribe();
      },
    };
  };
  return { subscribe, hasValue: () => live.hasValue?.() ?? false, getValue: () => live.getValue!() };
}

/** Observes a query. This is the hook of Dexie for queries that survive an interruption. */
export function useLiveQuery<Value>(
  query: () => Value | Promise<Value>,
  dependencies: unknown[] = [],
): Value | undefined {
  return useObservable(() => liveQuery(query), dependencies);
}

type Observe<Value> = (next: (value: Value) => void) => () => void;

/** Observes a query over tables, at most a few times per second. */
export const calmQuery =
  <Value>(tables: readonly Table[], query: () => Promise<Value>): Observe<Value> =>
  (next) => {
    let begun = 0;
    /** The number of the run whose result was delivered last; a run that began before it has nothing new to tell. */
    let delivered = 0;
    const answer = uninterrupted(query);
    const run = async () => {
      const number = ++begun;
      try {
        const found = await answer();
        if (number < delivered) return;
        delivered = number;
        next(found);
      } catch (error) {
        if (number > delivered) reportError(error);
      }
    };

    const stop = onChange(tables, () => void run());
    void run();
    return () => {
      delivered = Number.POSITIVE_INFINITY;
      stop();
    };
  };

/** Returns the result of a query over tables; undefined while loading. After a change of the key it is first the last one. */
export function useCalmQuery<Value, Key>(
  tables: readonly Table[],
  query: (key: Key) => Promise<Value>,
  key: Key,
): Value | undefined {
  const [value, setValue] = useState<Value>();
  const observe = useEffectEvent((asked: Key) => calmQuery(tables, () => query(asked))(setValue));
  useEffect(() => observe(key), [key]);
  return value;
}

export interface SharedQuery<Value> {
  /** Subscribes to changes of the value, for `useSyncExternalStore`. */
  subscribe: (listener: () => void) => () => void;
  /** The last value; undefined while loading. */
  latest: () => Value | undefined;
}

/** Observes a query once for all components that read it. */
export function sharedQuery<Value>(observe: Observe<Value>): SharedQuery<Value> {
  const listeners = new Set<() => void>();
  let latest: Value | undefined;
  let stop: (() => void) | undefined;
  return {
    latest: () => latest,
    subscribe: (listener) => {
      listeners.add(listener);
      stop ??= observe((value) => {
        latest = value;
        for (const each of listeners) each();
      });
      return () => {
        listeners.delete(listener);
        if (listeners.size > 0) return;
        stop?.();
        stop = latest = undefined;
      };
    },
  };
}
