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

function isTooDeep(value: unknown, levelsLeft = maxDepth): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (levelsLeft === 0) return true;
  for (const each of Array.isArray(value) ? value : Object.values(value))
    if (isTooDeep(each, levelsLeft - 1)) return true;
  return false;
}
