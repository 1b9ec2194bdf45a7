/**
 * Ends connections over HTTP/2 on which somebody takes back hundreds of requests before they are answered. To take one back costs a
 * few bytes, and leaves the place of a stream to the next one, so a bound of streams alone bounds nothing. A page that is left
 * takes back a dozen.
 */
import type { Http2Session, ServerHttp2Stream } from 'node:http2';
import { networkOf } from './networks.ts';

const spanMs = 10_000;
/** On one connection, which may be that of a proxy. */
const mostOfOne = 300;
/** On all connections of a network. Beyond it, whoever begins another connection for more gets little for it. */
const mostOfNetwork = 1500;
const mostBeyond = 20;
/** Networks whose time is over are forgotten when there are this many. */
const mostKept = 10_000;

interface Count {
  count: number;
  sinceMs: number;
}

export class Resets {
  private readonly ofSession = new WeakMap<Http2Session, Count>();
  private readonly ofNetwork = new Map<string, Count>();

  /** @param end ends a connection */
  constructor(
    private readonly end: (session: Http2Session) => void,
    private readonly clock: () => number = () => performance.now(),
  ) {}

  watch(stream: ServerHttp2Stream): void {
    const { session } = stream;
    if (!session) return;
    if (stream.aborted) this.count(session);
    else stream.once('aborted', () => this.count(session));
  }

  private count(session: Http2Session): void {
    if (session.closed || session.destroyed) return;
    const nowMs = this.clock();
    const network = networkOf(session.socket.remoteAddress ?? '');
    if (this.ofNetwork.size >= mostKept)
      for (const [name, { sinceMs }] of this.ofNetwork) if (nowMs - sinceMs > spanMs) this.ofNetwork.delete(name);
    const own = oneMore(this.ofSession.get(session), nowMs);
    const all = oneMore(this.ofNetwork.get(network), nowMs);
    this.ofSession.set(session, own);
    this.ofNetwork.set(network, all);
    if (own.count > (all.count > mostOfNetwork ? mostBeyond : mostOfOne)) this.end(session);
  }
}

const oneMore = (known: Count | undefined, nowMs: number): Count =>
  known && nowMs - known.sinceMs <= spanMs ? { ...known, count: known.count + 1 } : { count: 1, sinceMs: nowMs };
