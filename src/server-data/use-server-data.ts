/**
 * Reads server data for back-office pages. A response is fresh for a minute; the last one is cached on the device and
 * shows, with its time, until the server answers. An outage is what a failed call reports, never a call under way.
 * Each noun has a file beside this one, with a typed hook per resource and the paths that a write reloads; screens call these.
 */
import {
  focusManager,
  notifyManager,
  onlineManager,
  QueryClient,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query';
import type { QueryKey, QueryState } from '@tanstack/react-query';
import { useState, useSyncExternalStore } from 'react';
import { CallFailed, faultOf } from '../api/client.ts';
import type { CallFault } from '../api/client.ts';
import { readPage } from '../api/read-page.ts';
import { recall, remember } from './response-cache.ts';
import type { LoadedResponse } from './response-cache.ts';
import { db } from '../local-data/database.ts';
import { requestSync } from '../sync/sync-host.ts';

const freshMs = 60_000;
/** Interval of retries during an outage. */
export const retryIntervalMs = 20_000;

/** No reply, or one by which the server says that it can't work. */
const outages: readonly CallFault['code'][] = ['NETWORK', 'UNAVAILABLE'];
/** Returns whether a fault means that there is no server, or none that can work. */
export const isOutageFault = ({ code }: CallFault): boolean => outages.includes(code);
/** Returns whether a fault means that a record is no more. */
export const isGoneFault = ({ code }: CallFault): boolean => code.endsWith('NOT_FOUND');
const isOutage = (error: unknown) => error instanceof CallFailed && isOutageFault(error.fault);
/** Faults after which the same request may succeed. */
const isPassing = (error: unknown) =>
  isOutage(error) || (error instanceof CallFailed && error.fault.code === 'INTERNAL');

type Loaded = LoadedResponse<unknown> | undefined;

export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      // Requests are sent even if the browser reports no network, because it can be wrong.
      networkMode: 'always',
      staleTime: ({ state }) => (state.error === null && (state.data as Loaded)?.fresh ? freshMs : 0),
      retry: (failures, error) => failures < 1 && isPassing(error),
      // This network mode turns it off by default.
      refetchOnReconnect: true,
      refetchInterval: ({ state }) => (isOutage(state.error) && state.data ? retryIntervalMs : false),
    },
    mutations: { networkMode: 'always', retry: 0 },
  },
});

export type SearchParams = Record<string, string | number | boolean | null | undefined>;

/** Splits a path into its parts, by which `refreshData` finds related queries. */
const keyOf = (path: string, search: SearchParams): QueryKey => [...path.split('/'), search];

/** Drops empty parameters, so that equal queries have equal keys. */
function nonEmptyParams(search: SearchParams): Record<string, string> {
  const given = Object.entries(search).filter(([, value]) => value !== undefined && value !== null && value !== '');
  return Object.fromEntries(given.map(([name, value]) => [name, String(value)]));
}

export interface ServerData<Value> {
  /** Undefined until a response has loaded, from the cache or the server. */
  value: Value | undefined;
  /** Time of the shown response in milliseconds, if the last call found no server. */
  oldSince: number | null;
  isLoading: boolean;
  /** True during a refresh as well. */
  isBusy: boolean;
  /** Reason why there is no response at all. */
  fault: CallFault | null;
  refresh: () => void;
}

function faultIn(error: Error | null): CallFault | null {
  if (error === null) return null;
  return error instanceof CallFailed ? error.fault : { code: 'UNEXPECTED', message: '' };
}

/**
 * Reads `GET /api/<path>`; the value is the whole body.
 *
 * @param options.enabled false postpones the request
 */
export function useServerData<Value>(
  path: string,
  search: SearchParams = {},
  { enabled = true }: { enabled?: boolean } = {},
): ServerData<Value> {
  const client = useQueryClient();
  const params = nonEmptyParams(search);
  const queryKey = keyOf(path, params);
  const query = useQuery<LoadedResponse<Value>>({
    queryKey,
    enabled,
    // The last page stays visible until the next one has loaded.
    placeholderData: (previous, before) =>
      before && before.queryKey.length === queryKey.length && before.queryKey[0] === queryKey[0] ? previous : undefined,
    queryFn: async ({ signal }) => {
      const name = JSON.stringify(queryKey);
      if (!client.getQueryData(queryKey)) {
        const last = await recall<Value>(db, name);
        if (last) client.setQueryData(queryKey, last);
      }
      try {
        const value = await readPage<Value>(path, { searchParams: params, signal });
        const now = Date.now();
        await remember(db, name, value, now);
        return { value, at: now, fresh: true };
      } catch (thrown) {
        if (signal.aborted) throw thrown;
        const failed = new CallFailed(await faultOf(thrown));
        // The engine looks for the end of an outage that it has noticed, and the header's pill shows it.
        if (isOutage(failed)) requestSync('changes');
        throw failed;
      }
    },
  });
  const { data, error, isFetching } = query;
  return {
    value: data?.value,
    oldSince: data && isOutage(error) ? data.at : null,
    isLoading: query.isPending && enabled,
    isBusy: isFetching,
    fault: data && isOutage(error) ? null : faultIn(error),
    refresh: () => void query.refetch(),
  };
}

/**
 * Loads what an outage left without data, if the engine reaches the server: the end of an outage that the engine never
 * noticed shows in no other way. In a longer one such a page keeps its fault, and nothing blinks.
 */
export async function loadMissing(): Promise<void> {
  if (!onlineManager.isOnline() || !focusManager.isFocused()) return;
  await queryClient.refetchQueries({ type: 'active', predicate: ({ state }) => !state.data && isOutage(state.error) });
}

/**
 * Asks again for what is on screen once the engine has lost the server: the failed calls tell the pages of the outage. What
 * has no data tells of its own failure.
 */
export function confirmOutage(isOnline: boolean): void {
  if (isOnline) return;
  const predicate = ({ state }: { state: QueryState }) => Boolean(state.data);
  void queryClient.refetchQueries({ type: 'active', predicate }, { cancelRefetch: false });
}

/** Reloads the data of these paths that is on screen (`stock` includes every path under it). */
export function refreshData(...paths: string[]): Promise<void> {
  return Promise.all(paths.map((path) => queryClient.invalidateQueries({ queryKey: path.split('/') }))).then(
    () => undefined,
  );
}

/** Shortest time that a busy indicator shows: a shorter one would not be seen. */
const minIndicatorMs = 150;

/** Runs `refreshData` for a refresh button. */
export function useRefresh(...paths: string[]): { run: () => void; isRunning: boolean } {
  const [isRunning, setRunning] = useState(false);
  async function run() {
    setRunning(true);
    await Promise.all([refreshData(...paths), new Promise((resolve) => setTimeout(resolve, minIndicatorMs))]);
    setRunning(false);
  }
  return { run: () => void run(), isRunning };
}

const subscribeToCache = (changed: () => void) =>
  queryClient.getQueryCache().subscribe(notifyManager.batchCalls(changed));

function oldestShown(isOld: (state: QueryState) => boolean): number | null {
  const shown = queryClient.getQueryCache().findAll({ type: 'active' });
  const times = shown.flatMap(({ state }) => (state.data && isOld(state) ? (state.data as Loaded)!.at : []));
  return times.length === 0 ? null : Math.min(...times);
}

const oldestInOutage = () => oldestShown(({ error }) => isOutage(error));
const oldestFromCache = () => oldestShown(({ data }) => !(data as Loaded)!.fresh);

/**
 * Returns the time of the oldest response on screen whose last call found no server, in milliseconds; null if there is
 * none.
 */
export function useOldestResponse(): number | null {
  return useSyncExternalStore(subscribeToCache, oldestInOutage);
}

/** Returns the time of the oldest response on screen that is from the cache, whether or not a call has failed. */
export function useRememberedSince(): number | null {
  return useSyncExternalStore(subscribeToCache, oldestFromCache);
}
