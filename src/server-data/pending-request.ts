import type { Seen } from '#domain/seen.ts';
import { errorCatalogue } from '#domain/protocol/errors.ts';
import type { CallFault } from '../api/client.ts';
import { newIdempotencyKey } from '../api/idempotency-key.ts';

/** A request without a reply so far, with its idempotency key. Its retry says what was seen when it was first sent. */
export interface PendingRequest {
  /** All of it but what was seen. */
  request: string;
  key: string;
  seen?: Seen | undefined;
  /** The request whose record this one changes: the creation whose reply was lost, or an earlier change of what it created. */
  follows?: PendingRequest | undefined;
}

/** Returns the input of a request as it was sent. */
export const inputOf = ({ request }: PendingRequest): unknown => JSON.parse(request);

/** Returns whether a fault leaves it open what was stored: there was no reply, or one that says nothing of the request. */
export function isOpen({ code }: CallFault): boolean {
  if (code === 'NETWORK') return true;
  return (
    code !== 'UNEXPECTED' &&
    (errorCatalogue[code].status >= 500 || [401, 408, 429].includes(errorCatalogue[code].status))
  );
}

/** Sends a request after those that it follows. */
export type Send<Output> = (request: PendingRequest) => Promise<Output>;

/** @param first what was asked for before, and what came of it */
export type GoOn<Input, Output> = (
  input: Input,
  first: { input: Input; output: Output },
  headers: Record<string, string>,
) => Promise<Output>;

/**
 * Returns how one attempt sends requests: one that follows another changes what came of that, so that one is sent first. Sent
 * again under its key it is done once, and its reply is the first one.
 */
export function sendingBy<Input, Output>(
  call: (request: PendingRequest) => Promise<Output>,
  goOn: GoOn<Input, Output>,
  headersOf: (key: string) => Record<string, string>,
): Send<Output> {
  const outputs = new Map<PendingRequest, Output>();
  async function send(request: PendingRequest): Promise<Output> {
    if (outputs.has(request)) return outputs.get(request)!;
    const { follows, key } = request;
    const output = follows
      ? await goOn(
          inputOf(request) as Input,
          { output: await send(follows), input: inputOf(follows) as Input },
          headersOf(key),
        )
      : await call(request);
    outputs.set(request, output);
    return output;
  }
  return send;
}

/**
 * Returns the request of a creation. Whether the one before was stored is not known and it asks for something else: then it is
 * sent again first, and what it created is changed. Only one that was refused has created nothing.
 *
 * @throws what `send` throws while that stays unknown
 */
export async function requestAfter(
  input: unknown,
  before: PendingRequest | undefined,
  send: Send<unknown>,
  isRefusal: (thrown: unknown) => boolean,
): Promise<PendingRequest> {
  const wanted = requestOf(input, undefined, false);
  let known = before;
  while (known && known.request !== wanted.request) {
    try {
      await send(known);
      return { ...wanted, follows: known };
    } catch (thrown) {
      if (!isRefusal(thrown)) throw thrown;
      known = known.follows;
    }
  }
  return known ?? wanted;
}

/** Returns what was seen by who decides; undefined for a request that is no decision. */
export const seenIn = (input: unknown): Seen | undefined => (input as { seen?: Seen } | null | undefined)?.seen;

/** Returns a request without what was seen. */
function unseen(input: unknown): unknown {
  if (input === null || typeof input !== 'object' || !('seen' in input)) return input;
  const { seen: _seen, ...rest } = input;
  return rest;
}

/**
 * Returns the request to send: the one before, with its key, if it asks for the same. Another one about the same record still
 * says what was seen before the first, whose reply is lost: if that one was done, the server tells it and does nothing twice.
 *
 * @param isSameRecord false where the request before may have been about another record
 */
export function requestOf(input: unknown, before: PendingRequest | undefined, isSameRecord: boolean): PendingRequest {
  const request = JSON.stringify(unseen(input));
  if (before?.request === request) return before;
  const seen = seenIn(input);
  return { request, key: newIdempotencyKey(), seen: seen && isSameRecord && before?.seen ? before.seen : seen };
}
