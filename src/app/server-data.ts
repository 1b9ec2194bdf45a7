/**
 * What back-office pages read from the server and ask it to do. An answer is good for a minute; the last one is kept on the
 * device and shows, with its time, until the server answers again.
 */
import { notifyManager, QueryClient, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { QueryKey } from '@tanstack/react-query';
import type { TFunction } from 'i18next';
import { useRef, useState, useSyncExternalStore } from 'react';
import { useTranslation } from 'react-i18next';
import { idempotencyHeader } from '../../domain/protocol/sync.ts';
import { uuidV7 } from '../../domain/uuid.ts';
import { api, faultOf } from '../api/client.ts';
import type { CallFault } from '../api/client.ts';
import { recall, remember } from '../api/last-seen.ts';
import type { Seen } from '../api/last-seen.ts';
import { browserEnvironment } from '../db/environment.ts';
import { toast } from '../ui/toaster.tsx';
import { db } from './database.ts';

/** A call that did not succeed: the server's refusal, or that it could not be reached. */
export class CallFailed extends Error {
  override name = 'CallFailed';
  constructor(readonly fault: CallFault) {
    super(fault.message);
  }
}

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
export function useServerData<Value>(path: string, search: SearchParams = {}, { enabled = true }: { enabled?: boolean } = {}): ServerData<Value> {
  const client = useQueryClient();
  const params = asked(search);
  const queryKey = keyOf(path, params);
  const query = useQuery<Seen<Value>>({
    queryKey,
    enabled,
    // The next page comes in the place of the last one, without an empty moment between.
    placeholderData: (previous, before) => (before && before.queryKey.length === queryKey.length && before.queryKey[0] === queryKey[0] ? previous : undefined),
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
  return Promise.all(paths.map((path) => queryClient.invalidateQueries({ queryKey: path.split('/') }))).then(() => undefined);
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

export type Method = 'post' | 'put' | 'patch' | 'delete';

/** Calls the server once. Throws `CallFailed`. */
export async function callServer<Output>(method: Method, path: string, json?: unknown, headers: Record<string, string> = {}): Promise<Output> {
  try {
    return await api(path, { method, headers, ...(json === undefined ? {} : { json }) }).json<Output>();
  } catch (thrown) {
    throw new CallFailed(await faultOf(thrown));
  }
}

export interface FetchedFile {
  content: Blob;
  /** As the server calls it; empty if it does not. */
  name: string;
}

/** How far a file has come. */
export interface FileProgress {
  bytes: number;
  /** How many rows the server announced; null if it did not. */
  rows: number | null;
}

interface FetchFileOptions {
  signal: AbortSignal;
  /** What the file is asked with; it makes the call a POST. */
  json?: unknown;
  onProgress?: (progress: FileProgress) => void;
}

/** A file that the server makes, as long as that takes. Throws `CallFailed`, or whatever an abort throws. */
export async function fetchFile(path: string, { signal, json, onProgress }: FetchFileOptions): Promise<FetchedFile> {
  try {
    const response = await api(path, { method: json === undefined ? 'get' : 'post', signal, timeout: false, ...(json === undefined ? {} : { json }) });
    const announced = response.headers.get('x-total-rows');
    const chunks: Uint8Array<ArrayBuffer>[] = [];
    const progress: FileProgress = { bytes: 0, rows: announced === null ? null : Number(announced) };
    onProgress?.(progress);
    for (const reader = response.body!.getReader(); ; ) {
      // oxlint-disable-next-line no-await-in-loop -- A stream is read in its order.
      const { done, value } = await reader.read();
      if (done) break;
      chunks.push(value);
      progress.bytes += value.byteLength;
      onProgress?.({ ...progress });
    }
    const type = response.headers.get('content-type') ?? '';
    return { content: new Blob(chunks, { type }), name: /filename="?([^";]+)/.exec(response.headers.get('content-disposition') ?? '')?.[1] ?? '' };
  } catch (thrown) {
    if (signal.aborted) throw thrown;
    throw new CallFailed(await faultOf(thrown));
  }
}

/** Names a write, so that sending it again does it once: see `callServer`. */
export const newKey = (): string => uuidV7(browserEnvironment.now(), browserEnvironment.random(10));

/** What went wrong, in the reader's words. */
export function faultText(t: TFunction, { code, message }: CallFault): string {
  return t(`errors.${code}` as 'errors.UNEXPECTED', { defaultValue: message || t('errors.UNEXPECTED') });
}

export interface ServerCall<Input> {
  /** @returns whether it was done; if not, a toast has said why, or `onRefused` has taken it */
  run: (input: Input) => Promise<boolean>;
  isRunning: boolean;
}

interface ServerCallOptions<Input, Output> {
  /** Paths to read again afterwards. */
  refreshes: string[];
  /** What the toast says when it is done; none without. */
  done?: ((input: Input, output: Output) => string) | undefined;
  /** The heading of the toast that says why it was not done. */
  failed: string;
  /** Takes a refusal that belongs to the form's fields: true if it has shown it. */
  onRefused?: ((fault: CallFault) => boolean) | undefined;
  /** Keeps what was asked, until it is answered, on the device under this name: then asking again after a reload is done once too. */
  keepAs?: string | undefined;
}

/** What was asked, and under which key. */
interface Unanswered {
  request: string;
  key: string;
}

/**
 * Something that the server is asked to do, with what is said and read again afterwards.
 *
 * @param call gets the headers of `callServer` besides: with them, asking again for the same after an unknown outcome is
 *   done once
 */
export function useServerCall<Input, Output = unknown>(
  call: (input: Input, headers: Record<string, string>) => Promise<Output>,
  { refreshes, done, failed, onRefused, keepAs }: ServerCallOptions<Input, Output>,
): ServerCall<Input> {
  const { t } = useTranslation();
  const unanswered = useRef<Unanswered>(undefined);
  const mutation = useMutation({
    mutationFn: async (input: Input) => {
      const request = JSON.stringify(input);
      if (keepAs) unanswered.current ??= (await db.drafts.get(keepAs))?.value as Unanswered | undefined;
      if (unanswered.current?.request !== request) unanswered.current = { request, key: newKey() };
      const { key } = unanswered.current;
      if (keepAs) await db.drafts.put({ key: keepAs, value: unanswered.current });
      return call(input, { [idempotencyHeader]: key });
    },
  });
  async function answered(): Promise<void> {
    unanswered.current = undefined;
    if (keepAs) await db.drafts.delete(keepAs);
  }
  async function run(input: Input): Promise<boolean> {
    try {
      const output = await mutation.mutateAsync(input);
      await answered();
      if (done) toast({ tone: 'success', title: done(input, output) });
      void refreshData(...refreshes);
      return true;
    } catch (thrown) {
      const fault: CallFault = thrown instanceof CallFailed ? thrown.fault : { code: 'UNEXPECTED', message: '' };
      if (fault.code !== 'NETWORK') await answered();
      if (!onRefused?.(fault)) toast({ tone: 'error', title: failed, text: faultText(t, fault) });
      return false;
    }
  }
  return { run, isRunning: mutation.isPending };
}
