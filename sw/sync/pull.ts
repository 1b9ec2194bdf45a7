/** Pulls the feed: reads all pages, then applies them in one transaction (SYNC-9). */
import type { NumberCounters } from '#domain/order/numbers.ts';
import { series } from '#domain/order/numbers.ts';
import type { ChangesPage } from '#domain/protocol/sync.ts';
import type { SyncRow } from '#src/db/database.ts';
import { deviceRequest, neverSynced } from '#src/db/singletons.ts';
import type { Api, Contact } from './api.ts';
import type { Pull } from './apply-feed.ts';
import type { CallOutcome } from './classify.ts';
import { mergePages, sizeOf } from './feed.ts';
import type { CircuitBreaker } from './circuit-breaker.ts';
import type { SyncStore } from './store.ts';
import type { Clock } from './ports.ts';

interface PullParts {
  store: SyncStore;
  api: Api;
  breaker: CircuitBreaker;
  clock: Clock;
}

export interface Pulled {
  /** False when a sign-in is needed first. */
  authorised: boolean;
  /** True when confirmed operations must be sent again. */
  resend: boolean;
  /** True when pulls had failed before this one. */
  recovered: boolean;
}

/** The outcome of a pull that was not needed. */
export const nothing: Pulled = { authorised: true, resend: false, recovered: false };

export async function pull(parts: PullParts): Promise<Pulled> {
  const { store, breaker, clock } = parts;
  if (breaker.opensAt(clock.now()) > clock.now()) return nothing;
  const before = await store.position();
  let reading = await readPages(parts, before);
  const startsOver = reading.type === 'start-over';
  if (startsOver) reading = await readPages(parts, neverSynced);
  if (reading.type !== 'pages') return abandon(parts, before, reading);
  const recovered = breaker.answered();

  const { pages, contact } = reading;
  const { cursor, epoch } = pages.at(-1)!;
  const feed = mergePages(pages);
  const resend = startsOver || (before.epoch !== null && before.epoch !== epoch);
  const isComplete = startsOver || before.cursor === null;
  const applied = await store.applyFeed({
    feed,
    startedFrom: before.cursor,
    lacks: before.lacks,
    isComplete,
    resend,
    cursor,
    epoch,
    contact,
  });
  if (!applied) return { ...nothing, recovered };
  if (feed.counters) await compareCounters(parts, feed.counters);
  await store.prune(clock.now());
  return { authorised: true, resend, recovered };
}

type Reading =
  | { type: 'pages'; pages: ChangesPage[]; contact: Contact }
  /** The server does not know the cursor, or was restored to an earlier state (SYNC-16). */
  | { type: 'start-over' }
  | Exclude<CallOutcome<never>, { type: 'answer' }>;

/** @param position its epoch is the one that every page must carry; null when the first page decides it */
async function readPages({ api, store }: PullParts, position: SyncRow): Promise<Reading> {
  const { cursor: from, epoch } = position;
  const pages: ChangesPage[] = [];
  let expected = from === null ? null : epoch;
  let rows = 0;
  for (let cursor = from; ;) {
    // The first page's cursor remembers what was lacking.
    const lacks = cursor === from ? position.lacks : [];
    const reply = await api.changes({ cursor, lacks, waiting: await store.waiting() });
    if (reply.type === 'rejected' && reply.error.code === 'CURSOR_GONE') return { type: 'start-over' };
    if (reply.type !== 'answer') return reply;
    const page = reply.data;
    expected ??= page.epoch;
    if (page.epoch !== expected) return { type: 'start-over' };
    pages.push(page);
    if (!page.more) return { type: 'pages', pages, contact: reply.contact };
    if (page.cursor === cursor)
      return { type: 'rejected', error: { code: 'INTERNAL', message: 'The cursor of the feed does not advance.' } };
    cursor = page.cursor;
    rows += sizeOf(page);
    if (from === null) await store.noteProgress(rows);
  }
}

/** Discards an incomplete pull; the next one begins at the same cursor. */
async function abandon(
  { store, breaker, clock }: PullParts,
  { first_sync_rows }: SyncRow,
  reading: Exclude<Reading, { type: 'pages' }>,
): Promise<Pulled> {
  await store.noteProgress(first_sync_rows === null ? null : 0);
  if (reading.type === 'unauthorised') return { ...nothing, authorised: false };
  breaker.failed(clock.now(), reading.type === 'unreachable' ? reading.retryAfterMs : null);
  if (reading.type === 'unreachable') await store.setLinkStatus('offline', clock.now());
  return nothing;
}

/**
 * Returns the feed of a batch's reply as a pull from the cursor of the request; null when it is of another epoch, because
 * then a pull starts over.
 */
export function broughtBy(
  page: ChangesPage | undefined,
  { cursor, lacks, epoch }: SyncRow,
  contact: Contact,
): Pull | null {
  if (!page || page.more || page.epoch !== epoch) return null;
  const { cursor: next } = page;
  return {
    feed: mergePages([page]),
    startedFrom: cursor,
    lacks,
    isComplete: false,
    resend: false,
    cursor: next,
    epoch,
    contact,
  };
}

/**
 * Requests a new code if the server has seen more numbers than this device has used. The device's storage was then lost or
 * cloned, and under the old code it would print a number twice (SYNC-12).
 */
export async function compareCounters(
  { store, api }: Pick<PullParts, 'store' | 'api'>,
  byCode: Record<string, NumberCounters>,
): Promise<void> {
  const device = await store.device();
  const seen = device && byCode[device.code];
  if (!seen || !series.some((of) => (seen[of] ?? 0) > (device.counters[of] ?? 0))) return;
  const reply = await api.hello(deviceRequest(device));
  if (reply.type === 'answer') await store.saveDevice(reply.data);
}
