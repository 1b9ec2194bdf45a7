/**
 * Limits on the time that a client may take to send a request, and the reply when Node itself ends the connection.
 * Without limits, a client that sends a byte a minute would hold its connection and memory for ever.
 */
import type { Socket } from 'node:net';
import type { ErrorCode } from '../../domain/protocol/errors.ts';
import { errorCatalogue } from '../../domain/protocol/errors.ts';
import { errorBody } from './refusals.ts';

export interface Patience {
  headersMs: number;
  /** The limit for the whole request. Ten megabytes over a slow line take minutes. */
  requestMs: number;
  /** The interval at which Node checks the limits. */
  lookEveryMs: number;
}

export const defaultTimeouts: Patience = { headersMs: 20_000, requestMs: 300_000, lookEveryMs: 5000 };

/** Returns the options of Node's server. */
export const timeouts = ({ headersMs, requestMs, lookEveryMs }: Patience) => ({
  headersTimeout: headersMs,
  requestTimeout: requestMs,
  connectionsCheckingInterval: lookEveryMs,
});

/** Sends the usual error reply for bytes that never became a request, and ends the connection. */
export function replyToBrokenRequest(error: NodeJS.ErrnoException, socket: Socket): void {
  if (error.code === 'ECONNRESET' || socket.destroyed) return;
  const code = codeOf(error);
  const body = JSON.stringify(errorBody({ code }));
  const head = [
    `HTTP/1.1 ${errorCatalogue[code].status} ${code}`,
    'content-type: application/json; charset=utf-8',
    `content-length: ${Buffer.byteLength(body)}`,
    'cache-control: no-store',
    'connection: close',
  ];
  if (socket.writable) socket.write(`${head.join('\r\n')}\r\n\r\n${body}`);
  socket.destroySoon();
}

function codeOf({ code }: NodeJS.ErrnoException): ErrorCode {
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return 'REQUEST_TOO_SLOW';
  return code === 'HPE_HEADER_OVERFLOW' ? 'HEADERS_TOO_LARGE' : 'VALIDATION';
}
