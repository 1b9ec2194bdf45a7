/**
 * A TCP proxy between a tablet and its server, which simulates network faults. The proxy reads its mode for every
 * connection and every chunk, so a change of mode affects open connections too.
 *
 *     pass       forwards both directions unchanged
 *     refuse     resets connections at once, like a machine without a listening server
 *     swallow    accepts connections but forwards nothing, like a server that hangs
 *     half-open  forwards requests and discards replies
 *     slow       forwards both directions with a delay and a limited rate
 */
import { createServer, connect } from 'node:net';
import type { AddressInfo, Server, Socket } from 'node:net';
import { ThrottledPipe } from './throttled-pipe.ts';

export type FaultMode =
  | { type: 'pass' | 'refuse' | 'swallow' | 'half-open' }
  /** `delayMs` applies to each direction; `bytesPerSecond` to each direction of a connection, unlimited if omitted. */
  | { type: 'slow'; delayMs: number; bytesPerSecond?: number };

type Direction = 'request' | 'reply';

export class FaultProxy {
  mode: FaultMode = { type: 'pass' };
  private readonly open = new Set<Socket>();
  private readonly server: Server;

  private constructor(private readonly targetPort: number) {
    this.server = createServer({ allowHalfOpen: true, noDelay: true }, (client) => this.accept(client));
  }

  /** Starts a proxy. @param port port to listen on; any free port if omitted */
  static async before(targetPort: number, port = 0): Promise<FaultProxy> {
    const proxy = new FaultProxy(targetPort);
    await new Promise<void>((resolve, reject) => proxy.server.once('error', reject).listen(port, '127.0.0.1', resolve));
    return proxy;
  }

  get port(): number {
    return (this.server.address() as AddressInfo).port;
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  /** Resets all open connections, as a restart of the router does. */
  cut(): void {
    for (const socket of this.open) socket.resetAndDestroy();
  }

  async close(): Promise<void> {
    const closed = new Promise((resolve) => this.server.close(resolve));
    this.cut();
    await closed;
  }

  private accept(client: Socket): void {
    this.track(client);
    if (this.mode.type === 'refuse') {
      client.resetAndDestroy();
      return;
    }
    if (this.mode.type === 'swallow') {
      // The proxy reads and discards, so that TCP acknowledges the sender's bytes.
      client.resume();
      return;
    }
    const upstream = connect({ port: this.targetPort, host: '127.0.0.1', allowHalfOpen: true, noDelay: true });
    this.track(upstream);
    const requests = new ThrottledPipe(upstream);
    const replies = new ThrottledPipe(client);
    this.forward(client, requests, 'request');
    this.forward(upstream, replies, 'reply');
    client.once('close', () => upstream.destroy());
    upstream.once('close', () => {
      this.apply(replies, 'reply');
      replies.hangUp();
    });
  }

  private forward(from: Socket, pipe: ThrottledPipe, direction: Direction): void {
    from.on('data', (chunk: Buffer) => {
      if (this.mode.type === 'refuse') {
        from.resetAndDestroy();
        return;
      }
      this.apply(pipe, direction);
      pipe.send(chunk, this.mode.type === 'slow' ? this.mode : undefined);
    });
    from.on('end', () => {
      this.apply(pipe, direction);
      pipe.end();
    });
  }

  /** Makes a pipe discard data if the current mode does so for its direction. */
  private apply(pipe: ThrottledPipe, direction: Direction): void {
    const { type } = this.mode;
    if (type === 'swallow' || (type === 'half-open' && direction === 'reply')) pipe.discardRest();
  }

  private track(socket: Socket): void {
    this.open.add(socket);
    // Resets are expected here, and `close` follows each error.
    socket.on('error', () => undefined);
    socket.once('close', () => this.open.delete(socket));
  }
}
