/** A mail server that takes connections and says nothing. */
import { createServer } from 'node:net';
import type { AddressInfo, Socket } from 'node:net';

export interface MuteMailServer {
  url: string;
  /** The connections that it has. */
  sockets: Socket[];
  hangUp: () => void;
  close: () => void;
}

export async function muteMailServer(): Promise<MuteMailServer> {
  const sockets: Socket[] = [];
  const server = createServer((socket) => {
    socket.on('error', () => undefined);
    socket.on('close', () => sockets.includes(socket) && sockets.splice(sockets.indexOf(socket), 1));
    sockets.push(socket);
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  server.unref();
  const hangUp = () => sockets.splice(0).forEach((socket) => socket.destroy());
  const close = () => {
    hangUp();
    server.close();
  };
  return { url: `smtp://127.0.0.1:${(server.address() as AddressInfo).port}`, sockets, hangUp, close };
}
