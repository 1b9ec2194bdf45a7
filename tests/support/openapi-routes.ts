/** Reads the routes of the API from its OpenAPI document, for tests that cover all routes. */
import type { FastifyInstance } from 'fastify';
import type { Action } from '#domain/permissions.ts';

export interface Schema {
  type?: string;
  format?: string;
  enum?: unknown[];
  const?: unknown;
  anyOf?: Schema[];
  minLength?: number;
  maxLength?: number;
  minimum?: number;
  maximum?: number;
  exclusiveMinimum?: number;
  pattern?: string;
  items?: Schema;
  minItems?: number;
  maxItems?: number;
  properties?: Record<string, Schema>;
  required?: string[];
}

export interface Parameter {
  in: 'path' | 'query' | 'header';
  name: string;
  required?: boolean;
  schema: Schema;
}

export interface Route {
  /** Method and path, such as `POST /api/orders/{id}/payments`. */
  name: string;
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  path: string;
  /** Required permission; null for a public route. */
  action: Action | null;
  parameters: Parameter[];
  /** Schema of the JSON body; undefined if the route takes none. */
  body: Schema | undefined;
}

interface Described {
  parameters?: Parameter[];
  requestBody?: { content: Record<string, { schema: Schema }> };
  security: { bearer: [Action] }[];
}

export const routesOf = (app: FastifyInstance): Route[] => routesIn(app.swagger());

/** @param document the OpenAPI document, as the app makes it or as the server sends it */
export function routesIn(document: object): Route[] {
  const { paths } = document as { paths: Record<string, Record<string, Described>> };
  return Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(([word, { parameters = [], requestBody, security }]) => {
      const method = word.toUpperCase() as Route['method'];
      const body = requestBody?.content['application/json']?.schema;
      return { name: `${method} ${path}`, method, path, action: security[0]?.bearer[0] ?? null, parameters, body };
    }),
  );
}

export const isUuid = (schema: Schema): boolean =>
  schema.format === 'uuid' || (schema.pattern?.includes('[0-9a-fA-F]{8}') ?? false);

export const someUuid = '0190a5b0-0000-7000-8000-000000000000';

/** Returns a valid value for a schema, with the required fields only or, if `all`, with optional plain texts too. */
export function sampleOf(schema: Schema, all: boolean): unknown {
  if (schema.const !== undefined) return schema.const;
  if (schema.enum) return schema.enum[0];
  if (schema.anyOf) return sampleOf(schema.anyOf[0]!, all);
  switch (schema.type) {
    case 'object': {
      const entries = Object.entries(schema.properties ?? {});
      const wanted = entries.filter(
        ([name, field]) =>
          schema.required?.includes(name) ||
          (all && field.type === 'string' && !field.pattern && !field.format && !field.enum),
      );
      return Object.fromEntries(wanted.map(([name, field]) => [name, sampleOf(field, all)]));
    }
    case 'array':
      return Array.from({ length: schema.minItems ?? 0 }, () => sampleOf(schema.items!, all));
    case 'integer':
    case 'number':
      return 1;
    case 'boolean':
      return true;
    default:
      if (isUuid(schema)) return someUuid;
      return schema.format === 'date' ? '2026-03-01' : 'x'.repeat(Math.max(3, schema.minLength ?? 0));
  }
}
