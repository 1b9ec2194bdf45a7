/**
 * A network that fails on demand: a TCP proxy between a tablet and its server. The mode is read for every connection and
 * every chunk, so a change of mode reaches connections that are already open.
 *
 *     pass       both ways, as they come
 *     refuse     a reset, at once: the machine is up and nobody listens
 *     swallow    connections are accepted and nothing ever comes back, nor goes through: up but dead
 *     half-open  requests arrive at the server, not a byte of an answer comes back
 *     slow       both ways, late and at a limited rate
 */
import { createServer, connect } from 'node:net';
import type { AddressInfo, Server, Socket } from 'node:net';
import { Line } from './throttled-pipe.ts';

export type FaultMode =
  | { type: 'pass' | 'refuse' | 'swallow' | 'half-open' }
  /** `delayMs` one way; `bytesPerSecond` each way, per connection, unlimited when absent. */
  | { type: 'slow'; delayMs: number; bytesPerSecond?: number };

type Direction = 'request' | 'reply';

export class FaultProxy {
  mode: FaultMode = { type: 'pass' };
  private readonly open = new Set<Socket>();
  private readonly server: Server;

  private constructor(private readonly targetPort: number) {
    this.server = createServer({ allowHalfOpen: true, noDelay: true }, (client) => this.accept(client));
  }

  /** @param port where the proxy listens; any free one when absent */
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

  /** Destroys all open connections, as a router that restarts does. */
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
      // Read, so that the sender's bytes are acknowledged by a machine whose server is not there.
      client.resume();
      return;
    }
    const upstream = connect({ port: this.targetPort, host: '127.0.0.1', allowHalfOpen: true, noDelay: true });
    this.track(upstream);
    const requests = new Line(upstream);
    const replies = new Line(client);
    this.carry(client, requests, 'request');
    this.carry(upstream, replies, 'reply');
    client.once('close', () => upstream.destroy());
    upstream.once('close', () => {
      this.apply(replies, 'reply');
      replies.hangUp();
    });
  }

  private carry(from: Socket, line: Line, direction: Direction): void {
    from.on('data', (chunk: Buffer) => {
      if (this.mode.type === 'refuse') {
        from.resetAndDestroy();
        return;
      }
      this.apply(line, direction);
      line.send(chunk, this.mode.type === 'slow' ? this.mode : undefined);
    });
    from.on('end', () => {
      this.apply(line, direction);
      line.end();
    });
  }

  /** Lets a line lose what the present mode loses. */
  private apply(line: Line, direction: Direction): void {
    const { type } = this.mode;
    if (type === 'swallow' || (type === 'half-open' && direction === 'reply')) line.deafen();
  }

  private track(socket: Socket): void {
    this.open.add(socket);
    // A reset is what this proxy is for; `close` follows it.
    socket.on('error', () => undefined);
    socket.once('close', () => this.open.delete(socket));
  }
}
