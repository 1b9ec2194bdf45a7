/**
 * What back-office pages read from the server. An answer is good for a minute; the last one is kept on the device and shows,
 * with its time, until the server answers again.
 */
import { notifyManager, QueryClient, useQuery, useQueryClient } from '@tanstack/react-query';
import type { QueryKey } from '@tanstack/react-query';
import { useState, useSyncExternalStore } from 'react';
import { CallFailed, api, faultOf } from '../api/client.ts';
import type { CallFault } from '../api/client.ts';
import { recall, remember } from './response-cache.ts';
import type { Seen } from './response-cache.ts';
import { db } from '../local-data/database.ts';

const freshMs = 60_000;
/** How soon the server is asked again while an old answer shows. */
const askAgainMs = 20_000;

export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      // Whether the network is there is found out by asking, not by what the browser thinks of it.
      networkMode: 'always',
      staleTime: ({ state }) => ((state.data as Seen<unknown> | undefined)?.fresh ? freshMs : 0),
      retry: (failures, error) => failures < 1 && error instanceof CallFailed && error.fault.code === 'NETWORK',
      refetchInterval: ({ state }) => ((state.data as Seen<unknown> | undefined)?.fresh === false ? askAgainMs : false),
    },
    mutations: { networkMode: 'always', retry: 0 },
  },
});

export type SearchParams = Record<string, string | number | boolean | null | undefined>;

/** The parts of an address by which `refresh` finds what is about the same noun. */
const keyOf = (path: string, search: SearchParams): QueryKey => [...path.split('/'), search];

/** Without what is not asked for, so that the same question has the same key. */
function asked(search: SearchParams): Record<string, string> {
  const given = Object.entries(search).filter(([, value]) => value !== undefined && value !== null && value !== '');
  return Object.fromEntries(given.map(([name, value]) => [name, String(value)]));
}

export interface ServerData<Value> {
  /** Undefined until there is an answer, remembered or new. */
  value: Value | undefined;
  /** When the shown answer came, if it is not a fresh one (milliseconds). */
  oldSince: number | null;
  isLoading: boolean;
  /** Also true while a refresh is under way. */
  isBusy: boolean;
  /** Why there is no answer at all. */
  fault: CallFault | null;
  refresh: () => void;
}

/**
 * Reads `GET /api/<path>`; the value is the whole body.
 *
 * @param options.enabled false waits until the question makes sense
 */
export function useServerData<Value>(
  path: string,
  search: SearchParams = {},
  { enabled = true }: { enabled?: boolean } = {},
): ServerData<Value> {
  const client = useQueryClient();
  const params = asked(search);
  const queryKey = keyOf(path, params);
  const query = useQuery<Seen<Value>>({
    queryKey,
    enabled,
    // The next page comes in the place of the last one, without an empty moment between.
    placeholderData: (previous, before) =>
      before && before.queryKey.length === queryKey.length && before.queryKey[0] === queryKey[0] ? previous : undefined,
    queryFn: async ({ signal }) => {
      const name = JSON.stringify(queryKey);
      if (!client.getQueryData(queryKey)) {
        const last = await recall<Value>(db, name);
        if (last) client.setQueryData(queryKey, last);
      }
      try {
        const value = await api.get(path, { searchParams: params, signal }).json<Value>();
        const now = Date.now();
        await remember(db, name, value, now);
        return { value, at: now, fresh: true };
      } catch (thrown) {
        if (signal.aborted) throw thrown;
        const fault = await faultOf(thrown);
        const last = client.getQueryData<Seen<Value>>(queryKey);
        if (fault.code === 'NETWORK' && last) return { ...last, fresh: false };
        throw new CallFailed(fault);
      }
    },
  });
  const { data, error, isFetching } = query;
  return {
    value: data?.value,
    oldSince: data && !data.fresh ? data.at : null,
    isLoading: query.isPending && enabled,
    isBusy: isFetching,
    fault: error instanceof CallFailed ? error.fault : error ? { code: 'UNEXPECTED', message: '' } : null,
    refresh: () => void query.refetch(),
  };
}

/** Reads again whatever of these paths is on screen (`stock` stands for everything under it). */
export function refreshData(...paths: string[]): Promise<void> {
  return Promise.all(paths.map((path) => queryClient.invalidateQueries({ queryKey: path.split('/') }))).then(
    () => undefined,
  );
}

/** A sign that something is under way is shown at least this long: a shorter one would not be seen. */
const shownMs = 150;

/** `refreshData` on somebody's wish, and whether it is under way. */
export function useRefresh(...paths: string[]): { run: () => void; isRunning: boolean } {
  const [isRunning, setRunning] = useState(false);
  async function run() {
    setRunning(true);
    await Promise.all([refreshData(...paths), new Promise((resolve) => setTimeout(resolve, shownMs))]);
    setRunning(false);
  }
  return { run: () => void run(), isRunning };
}

const watchAnswers = (changed: () => void) => queryClient.getQueryCache().subscribe(notifyManager.batchCalls(changed));

function oldestAnswer(): number | null {
  const shown = queryClient.getQueryCache().findAll({ type: 'active' });
  const old = shown.map(({ state }) => state.data as Seen<unknown> | undefined).filter((seen) => seen?.fresh === false);
  return old.length === 0 ? null : Math.min(...old.map((seen) => seen!.at));
}

/** When the oldest answer on screen came, if the server is away (milliseconds). */
export function useOldestAnswer(): number | null {
  return useSyncExternalStore(watchAnswers, oldestAnswer);
}
