/**
 * Lets one tab of a browser hold the stream of pokes (SYNC-9): a browser keeps six connections to a server without HTTP/2, and
 * a stream takes one for good, so seven tabs would leave none for requests. One is enough, because the engine that it pokes
 * works for all tabs.
 *
 *     waiting ──the lock is free, or the holder does not answer or is hidden──▶ holding
 *        ▲                                                                        │
 *        └──────────────────────── another tab has taken it ──────────────────────┘
 *
 * A Web Lock passes the turn on when its tab closes. A tab that is frozen keeps its lock, so a visible tab asks the holder, and
 * takes it from one that does not answer. It takes it from a hidden one too, which the browser may slow down or freeze. Where
 * there are no Web Locks (on insecure origins) the questions alone decide; two tabs that take it at once both give it up, and
 * begin again at different times.
 */
import { anySignal } from '../db/any-signal.ts';
import { askChannel } from '../db/ask-channel.ts';
import { pause } from './pause.ts';

const streamName = 'dental-counter-stream';
/** A visible tab asks the holder this often, and waits two seconds for the answer. */
const askMs: readonly [number, number] = [3000, 5000];

type StreamMessage = { type: 'who' } | { type: 'holder'; isHidden: boolean } | { type: 'taken' };

const askStreamHolder = () =>
  askChannel(streamName, { type: 'who' } satisfies StreamMessage, (message) => {
    const answer = message as StreamMessage;
    return answer.type === 'holder' ? answer : null;
  });

interface Turn {
  /** Ends the turn: another tab has it, or this one stops listening. */
  signal: AbortSignal;
  /** True when pokes may have been missed before the turn began. */
  isTakenOver: boolean;
}

type Page = Pick<Document, 'visibilityState' | 'addEventListener'>;

/** @param follow listens until its turn has ended; it is called for each turn of this tab */
export function holdStream(
  follow: (turn: Turn) => Promise<void>,
  signal: AbortSignal,
  page: Page = globalThis.document,
): void {
  const hasLocks = 'locks' in navigator;
  const channel = new BroadcastChannel(streamName);
  const tell = (message: StreamMessage) => channel.postMessage(message);
  const isHidden = () => page.visibilityState !== 'visible';
  let turn: AbortController | null = null;
  let isTakenOver = false;
  /** Ends the place in the queue for the lock, when this tab takes it. */
  let place = new AbortController();
  let isAsking = false;

  async function hold(own: AbortController): Promise<void> {
    if (signal.aborted) return;
    turn = own;
    // A failure of the storage passes, or it does not; the engine tells of it.
    await follow({ signal: anySignal([signal, own.signal]), isTakenOver }).catch(() => pause(askMs, signal));
    if (turn === own) turn = null;
  }

  /** Resolves when the turn has ended, or when it does not come. @returns whether it came */
  async function lock(options: LockOptions): Promise<boolean> {
    const own = new AbortController();
    let isGiven = false;
    const work = (given: Lock | null) => {
      isGiven = given !== null;
      return isGiven ? hold(own) : undefined;
    };
    // It rejects when another tab takes the lock, and when the place in the queue ends.
    await navigator.locks.request(streamName, options, work).catch(() => undefined);
    own.abort();
    isTakenOver = true;
    return isGiven;
  }

  /** Waits for the lock, which a tab that closes leaves to the next one. */
  async function queue(): Promise<void> {
    while (hasLocks && !signal.aborted) {
      const own = (place = new AbortController());
      const end = anySignal([signal, own.signal]);
      // A page that the browser is about to replace is refused at once, each time. Without a pause it would never be replaced.
      // oxlint-disable-next-line no-await-in-loop -- One turn after another.
      if (!(await lock({ signal: end }))) await pause(askMs, end);
      if (own.signal.aborted) return;
    }
  }

  async function take(): Promise<void> {
    place.abort();
    isTakenOver = true;
    tell({ type: 'taken' });
    await (hasLocks ? lock({ steal: true }) : hold(new AbortController()));
    void queue();
  }

  async function ask(): Promise<void> {
    if (signal.aborted || turn || isAsking || isHidden()) return;
    isAsking = true;
    const holder = await askStreamHolder();
    const isNeeded = !signal.aborted && !turn && !isHidden() && (holder === null || holder.isHidden);
    if (isNeeded) await take();
    isAsking = false;
  }

  async function askNowAndThen(): Promise<void> {
    while (!signal.aborted) {
      // oxlint-disable-next-line no-await-in-loop -- One question after another.
      await pause(askMs, signal).then(ask);
    }
  }

  channel.addEventListener('message', ({ data }: MessageEvent<StreamMessage>) => {
    if (data.type === 'who' && turn) tell({ type: 'holder', isHidden: isHidden() });
    if (data.type === 'taken') turn?.abort();
  });
  page.addEventListener('visibilitychange', () => void ask(), { signal });
  signal.addEventListener('abort', () => channel.close());
  void askNowAndThen();
  void (hasLocks ? lock({ ifAvailable: true }).then(queue) : ask());
}
