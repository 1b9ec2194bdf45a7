/**
 * The keys of a body and of an address. Schemas are strict, so they refuse unknown keys by name. The hooks here do the same
 * where a route takes no body, let a body repeat the id of the address and the read-only fields of the record that it changes, and
 * take a parameter without a value as absent.
 */
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { invalidField, sendInvalid, unknownKeys } from './validation.ts';
import type { Issue } from './validation.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    idInBody?: string;
    readOnly?: readonly string[];
  }
}

/** Declares a name of the address's `:id` in the body besides `id`: `{ config: { ...isPublic, ...repeatsId('order_id') } }`. */
export const repeatsId = (name: string): { idInBody: string } => ({ idInBody: name });

/** Checks the bodies of the routes that are registered on `api` afterwards. */
export function checkBodyKeys(api: FastifyInstance): void {
  api.addHook('preValidation', async (request, reply) => {
    const { body, routeOptions } = request;
    if (!isObject(body)) return undefined;
    if (request.method === 'PUT')
      for (const name of [...times, ...(routeOptions.config.readOnly ?? [])]) delete body[name];
    const otherIds = removeRepeatedIds(request, body);
    if (otherIds.length > 0) return sendInvalid(request, reply, otherIds);
    if (routeOptions.schema?.body || Object.keys(body).length === 0) return undefined;
    return sendInvalid(request, reply, [unknownKeys(Object.keys(body))]);
  });
}

/** Declares fields of a record that no change sets: whoever sends back what they have read may leave them in. */
export const readOnly = (...names: string[]): { readOnly: readonly string[] } => ({ readOnly: names });

/** Such fields of every record. */
const times = ['created_at', 'updated_at'];

/** Takes a parameter without a value as absent, on the routes that are registered on `api` afterwards: forms send those too. */
export function dropEmptyParameters(api: FastifyInstance): void {
  api.addHook('preValidation', async ({ query }) => {
    const parameters = query as Keyed;
    for (const [name, value] of Object.entries(parameters)) if (value === '') delete parameters[name];
  });
}

/**
 * Removes the ids that repeat the address, so that schemas and handlers know one id only. Returns those that differ from
 * it.
 */
function removeRepeatedIds({ params, routeOptions }: FastifyRequest, body: Keyed): Issue[] {
  const ids = { ...(params as Record<string, string>) };
  const { idInBody } = routeOptions.config;
  if (idInBody && ids['id']) ids[idInBody] = ids['id'];
  const repeated = Object.entries(ids).filter(([name]) => Object.hasOwn(body, name));
  const differing = repeated.filter(([name, id]) => !isSameId(body[name], id));
  for (const [name] of repeated) delete body[name];
  return differing.map(([name]) => invalidField(name, 'idDiffers'));
}

/** Compares without converting objects, which may bring a `toString` of their own. */
const isSameId = (value: unknown, id: string): boolean =>
  typeof value === 'number'
    ? String(value) === id
    : typeof value === 'string' && value.toLowerCase() === id.toLowerCase();

type Keyed = Record<string, unknown>;
const isObject = (value: unknown): value is Keyed =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
