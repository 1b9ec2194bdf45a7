/**
 * What happens before there is a request: how long a caller may take to send one, and the answer where Node itself ends the
 * talk. Without a bound, whoever sends a byte a minute keeps a connection, and what has arrived on it, for as long as it likes.
 */
import type { Socket } from 'node:net';
import type { ErrorCode } from '../../domain/protocol/errors.ts';
import { errorCatalogue } from '../../domain/protocol/errors.ts';
import { errorBody } from './refusals.ts';

export interface Patience {
  headersMs: number;
  /** The whole request: ten megabytes over a poor line take minutes. */
  requestMs: number;
  /** How often Node looks. */
  lookEveryMs: number;
}

export const usualPatience: Patience = { headersMs: 20_000, requestMs: 300_000, lookEveryMs: 5000 };

/** The options of Node's server that hold it. */
export const timeouts = ({ headersMs, requestMs, lookEveryMs }: Patience) => ({
  headersTimeout: headersMs,
  requestTimeout: requestMs,
  connectionsCheckingInterval: lookEveryMs,
});

/** Answers what never became a request as every error is answered, and ends the connection. */
export function answerBroken(error: NodeJS.ErrnoException, socket: Socket): void {
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
