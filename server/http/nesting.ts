/**
 * Limits the nesting of bodies before they are parsed. `JSON.parse` accepts any depth and takes long for it, and recursive
 * code, such as a fingerprint or a schema, would overflow the stack.
 */
import { promisify } from 'node:util';
import type { Readable } from 'node:stream';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { ArrivingBodies } from './arriving-bodies.ts';
import { TooMuchWaits } from './clinic-turns.ts';
import { goOnWith } from './watchdog.ts';

/** Twice as deep as any valid body. */
const maxDepth = 32;

export class DeepBodyError extends Error {
  readonly statusCode = 400;
}

/** Parses JSON in its request's turn, and refuses deeper one, on the routes that are registered on `api` afterwards. */
export function refuseDeepBodies(api: FastifyInstance): void {
  const parse = promisify<FastifyRequest, string, unknown>(api.getDefaultJsonParser('error', 'error'));
  const bodies = new ArrivingBodies();
  api.addHook('preParsing', async (request, reply) => bodies.forget(request, reply));
  api.addContentTypeParser('application/json', async (request: FastifyRequest, payload: Readable) => {
    const body = await bodies.read(request, payload);
    // What others have sent before is parsed and done first.
    if (!(await api.turns.begin(request))) throw new TooMuchWaits();
    goOnWith(request);
    if (isDeeper(body, maxDepth)) throw new DeepBodyError('The body is nested too deeply');
    return parse(request, body);
  });
}

const [quote, backslash, openList, closeList, openObject, closeObject] = [0x22, 0x5c, 0x5b, 0x5d, 0x7b, 0x7d];

/** Returns whether JSON nests deeper than a limit. Reads each character once, and texts in one step. */
export function isDeeper(json: string, limit: number): boolean {
  let depth = 0;
  for (let at = 0; at < json.length; at++) {
    const letter = json.charCodeAt(at);
    if (letter === quote) {
      at = endOfText(json, at);
      if (at < 0) return false;
    } else if (letter === openList || letter === openObject) {
      if (++depth > limit) return true;
    } else if (letter === closeList || letter === closeObject) depth--;
  }
  return false;
}

/** Returns the place of the quote that ends a text; -1 where none does, which the parser refuses. */
function endOfText(json: string, start: number): number {
  for (let end = json.indexOf('"', start + 1); end >= 0; end = json.indexOf('"', end + 1)) {
    let escapes = 0;
    while (json.charCodeAt(end - 1 - escapes) === backslash) escapes++;
    if (escapes % 2 === 0) return end;
  }
  return -1;
}
