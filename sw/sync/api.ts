/** The engine's API calls, sent with the session's token and classified. */
import type {
  BatchReply,
  ChangesPage,
  DeviceReply,
  DeviceRequest,
  FeedPart,
  PatientsPage,
} from '#domain/protocol/sync.ts';
import { classify } from './classify.ts';
import type { CallOutcome } from './classify.ts';
import type { Call, Clock, Net } from './ports.ts';
import { readBatch, readDevice, readPage, readPatients } from './wire.ts';

/** A reply of the server, with the measured clock offset. */
export interface Contact {
  /** Milliseconds by this device's clock. */
  at: number;
  /** Server clock minus device clock; null when the round trip was too long for a measurement. */
  offsetMs: number | null;
}

/** From where a device reads the feed. */
export interface Place {
  cursor: string | null;
  /** The tables that the device has emptied since the cursor. */
  lacks: readonly FeedPart[];
  /** The number of operations that the device has not sent, without the request's own. */
  waiting: number;
}

export type Reply<T> = Exclude<CallOutcome<T>, { type: 'answer' }> | { type: 'answer'; data: T; contact: Contact };

export interface Api {
  /** @param operations the operations as JSON texts */
  batch(opIds: readonly string[], operations: readonly string[], from: Place): Promise<Reply<BatchReply['data']>>;
  changes(from: Place): Promise<Reply<ChangesPage>>;
  /** @param after the last patient of the previous page; '' for the first page */
  patients(after: string): Promise<Reply<PatientsPage>>;
  hello(request: DeviceRequest): Promise<Reply<DeviceReply>>;
  /** True when there is a token that the server has not rejected. */
  mayTry(): Promise<boolean>;
  /** Allows a rejected token to be tried again. */
  refresh(): void;
}

function queryOf({ cursor, lacks, waiting }: Place): string {
  const from = cursor === null ? '' : `&cursor=${encodeURIComponent(cursor)}`;
  const missing = cursor === null || lacks.length === 0 ? '' : `&lacks=${lacks.join()}`;
  return `waiting=${waiting}${from}${missing}`;
}

/** After a longer round trip the offset would be too inaccurate. */
const longestMeasureMs = 10_000;

export function createApi({ net, clock, token }: { net: Net; clock: Clock; token: () => Promise<string | null> }): Api {
  let rejectedToken: string | null = null;
  const isUsable = (candidate: string | null): candidate is string => candidate !== null && candidate !== rejectedToken;

  /** After 401, reads the token again and retries once, because a page may have renewed it. */
  async function call<T extends { server_time: string }>(
    request: Omit<Call, 'token'>,
    read: (json: unknown) => T | null,
  ): Promise<Reply<T>> {
    const first = await attempt(request, read, await token());
    if (first.type !== 'unauthorised') return first;
    const current = await token();
    const second = await attempt(request, read, current);
    if (second.type === 'unauthorised') rejectedToken = current;
    return second;
  }

  async function attempt<T extends { server_time: string }>(
    request: Omit<Call, 'token'>,
    read: (json: unknown) => T | null,
    current: string | null,
  ): Promise<Reply<T>> {
    if (!isUsable(current)) return { type: 'unauthorised' };
    const sentAt = clock.now();
    const outcome = classify(await net({ ...request, token: current }), read);
    if (outcome.type !== 'answer') return outcome;
    const at = clock.now();
    const measured = at - sentAt <= longestMeasureMs;
    const offsetMs = measured ? Math.round(Date.parse(outcome.data.server_time) - (sentAt + at) / 2) : null;
    return { ...outcome, contact: { at, offsetMs } };
  }

  return {
    batch: (opIds, operations, from) =>
      call(
        { method: 'POST', path: `/sync/batch?${queryOf(from)}`, body: `{"operations":[${operations.join(',')}]}` },
        (json) => readBatch(json, opIds),
      ),
    changes: (from) => call({ method: 'GET', path: `/sync/changes?${queryOf(from)}&later=patients` }, readPage),
    patients: (after) => call({ method: 'GET', path: `/sync/patients${after && `?after=${after}`}` }, readPatients),
    hello: (request) => call({ method: 'POST', path: '/devices', body: JSON.stringify(request) }, readDevice),
    mayTry: async () => isUsable(await token()),
    refresh: () => {
      rejectedToken = null;
    },
  };
}
