/**
 * Limits the nesting of bodies. `JSON.parse` accepts any depth, but recursive code, such as a fingerprint or a schema,
 * would overflow the stack.
 */
import type { FastifyInstance } from 'fastify';
import { invalidField, sendInvalid } from './validation.ts';

/** Twice as deep as any valid body. */
const maxDepth = 32;

/** Refuses deeper bodies on the routes that are registered on `api` afterwards. */
export function refuseDeepBodies(api: FastifyInstance): void {
  api.addHook('preValidation', async (request, reply) =>
    isTooDeep(request.body) ? sendInvalid(request, reply, [invalidField('body', 'tooDeep')]) : undefined,
  );
}

function isTooDeep(body: unknown): boolean {
  let level = [body].filter(isObject);
  for (let depth = 0; level.length > 0; depth++) {
    if (depth === maxDepth) return true;
    level = level.flatMap((one) => Object.values(one).filter(isObject));
  }
  return false;
}

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;
