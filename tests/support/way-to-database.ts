/** Ways to one database that stand for servers of their own: one can fail or fall silent, and another be promoted. */
import { connect, createServer } from 'node:net';
import type { AddressInfo, Server, Socket } from 'node:net';

/** Returns the address of a database that is reached through a socket file, whose folder is `host`. */
export const socketAddress = (connectionString: string): URL => new URL(connectionString.replace('@/', '@socket/'));

/** Returns a connection string that names ways to a database as servers, of which one takes writes. */
export function throughWays(connectionString: string, ways: readonly Way[]): string {
  const { username, pathname } = socketAddress(connectionString);
  const places = ways.map(({ place }) => place).join(',');
  return `postgresql://${username}@${places}${pathname}?target_session_attrs=read-write`;
}

export class Way {
  private readonly sockets = new Set<Socket>();
  taken = 0;
  /** Passes on what a client says first, and then nothing, as a pooler does that has lost its server. */
  isPoolerAlone = false;
  private constructor(private readonly server: Server) {}

  static async to(connectionString: string): Promise<Way> {
    const socketFile = `${socketAddress(connectionString).searchParams.get('host')!}/.s.PGSQL.5432`;
    const server = createServer((client) => {
      way.taken += 1;
      const upstream = connect(socketFile);
      for (const [from, to] of [
        [client, upstream],
        [upstream, client],
      ] as const) {
        way.sockets.add(from);
        from
          .on('error', () => undefined)
          .on('close', () => to.destroy())
          .on('data', (bytes) => (from === client && way.isPoolerAlone && isQuery(bytes) ? true : to.write(bytes)));
      }
    });
    const way = new Way(server);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return way;
  }

  get place(): string {
    return `127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  cut(): void {
    for (const socket of this.sockets) socket.destroy();
  }

  async close(): Promise<void> {
    const closed = new Promise((resolve) => this.server.close(resolve));
    this.cut();
    await closed;
  }
}

/** In PostgreSQL's protocol a simple query begins with a Q, and the start of a connection with its length. */
const isQuery = (bytes: Buffer): boolean => bytes[0] === 'Q'.charCodeAt(0);
