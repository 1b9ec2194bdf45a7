/** How the API client reaches the server. Both tell of requests that have had no answer for a while. */
import { noticed } from '../session/waiting.ts';

/** Reads the reply whole, because the client's time limit ends with its promise: a body that stops halfway would hang. */
export const wholeReply: typeof fetch = (input, init) => noticed(readWhole(fetch(input, init)));

/** Leaves the body to the caller, who limits its silence. */
export const streamedReply: typeof fetch = (input, init) => noticed(fetch(input, init));

async function readWhole(request: Promise<Response>): Promise<Response> {
  const response = await request;
  return response.body ? new Response(await response.arrayBuffer(), response) : response;
}
