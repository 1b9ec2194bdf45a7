/** Serves the stand-in for the tax agency over HTTP. It can be down, slow, lose replies and refuse. */
import { createServer as createHttpServer } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import type { ServerOptions } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { Socket } from 'node:net';
import { TaxAgency } from './tax-agency.ts';
import type { AgencyRules } from './tax-agency.ts';

/** What the agency does with a call; `lost` keeps the records and breaks the connection. */
export type Mood = 'well' | 'down' | 'lost' | 'refuses';

export interface AuthorityOptions extends AgencyRules {
  /** The key, certificate and authority of a service that demands a client's certificate; plain HTTP without. */
  tls?: Pick<ServerOptions, 'key' | 'cert' | 'ca'>;
}

export class TaxAuthority extends TaxAgency {
  url = '';
  mood: Mood = 'well';
  /** Delays each answer, after the records are kept. */
  slowMs = 0;
  /** Called when a call's records are kept, before the answer goes out. */
  onKept: () => void | Promise<void> = () => undefined;
  close: () => Promise<void> = () => Promise.resolve();

  async answer(request: IncomingMessage, response: ServerResponse, message: string): Promise<void> {
    const { mood } = this;
    const { call, end } = this.begin(message);
    try {
      if (mood === 'down') {
        call.outcome = 'down';
        request.socket.destroy();
        return;
      }
      this.isRefusing = mood === 'refuses';
      const { status, message: answered } = await this.receive(message, call);
      if (status === 200) {
        await this.onKept();
        if (this.slowMs > 0) await new Promise((resolve) => setTimeout(resolve, this.slowMs));
        if (mood === 'lost') {
          call.outcome = 'lost';
          request.socket.destroy();
          return;
        }
      }
      response.writeHead(status, { 'content-type': 'text/xml;charset=UTF-8' }).end(answered);
    } finally {
      end();
    }
  }
}

export async function startTaxAuthority({ tls, ...rules }: AuthorityOptions): Promise<TaxAuthority> {
  const authority = new TaxAuthority(rules);
  const listener = (request: IncomingMessage, response: ServerResponse): void => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      authority.answer(request, response, Buffer.concat(chunks).toString('utf8')).catch((error: unknown) => {
        authority.faults.push(`The stand-in fails: ${String(error)}`);
        request.socket.destroy();
      });
    });
  };
  const server = tls
    ? createHttpsServer({ ...tls, requestCert: true, rejectUnauthorized: true }, listener)
    : createHttpServer(listener);
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  authority.url = `${tls ? 'https' : 'http'}://127.0.0.1:${(server.address() as AddressInfo).port}/VerifactuSOAP`;
  authority.close = () =>
    new Promise((resolve) => {
      server.close(() => resolve());
      for (const socket of sockets) socket.destroy();
    });
  return authority;
}
