/**
 * How deep a body may be nested. `JSON.parse` follows any depth that fits into a body's bytes, but whoever walks the value
 * by calling itself, as a fingerprint or a schema does, would run out of stack.
 */
import type { FastifyInstance } from 'fastify';
import { sendRefusal } from './refusals.ts';

/** No document of ours is nested half as deep. */
const deepest = 32;

/** Refuses bodies that are nested deeper, on the routes that are registered on `api` afterwards. */
export function refuseDeepBodies(api: FastifyInstance): void {
  api.addHook('preValidation', async (request, reply) =>
    isTooDeep(request.body)
      ? sendRefusal(reply, { code: 'VALIDATION', details: { body: 'Nested too deeply' } })
      : undefined,
  );
}

function isTooDeep(body: unknown): boolean {
  let level = [body].filter(isObject);
  for (let depth = 0; level.length > 0; depth++) {
    if (depth === deepest) return true;
    level = level.flatMap((one) => Object.values(one).filter(isObject));
  }
  return false;
}

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;
