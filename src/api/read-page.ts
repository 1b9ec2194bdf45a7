/** Reads a page of a list whole. The server ends a reply after some megabytes and says at which row of the page to go on. */
import type { Pagination } from '#domain/pagination.ts';
import { api } from './client.ts';

type Body = Record<string, unknown>;

interface Asked {
  searchParams: Record<string, string | number>;
  signal?: AbortSignal;
}

/** Calls `GET /api/<path>`; the value is the whole body. */
export async function readPage<Value>(path: string, { searchParams, ...options }: Asked): Promise<Value> {
  let body = await api.get(path, { searchParams, ...options }).json<Body>();
  for (let row = nextRow(body); row !== undefined; row = nextRow(body))
    body = joined(body, await api.get(path, { searchParams: { ...searchParams, row }, ...options }).json<Body>());
  return body as Value;
}

const nextRow = ({ pagination }: { pagination?: Partial<Pagination> }): number | undefined => pagination?.next_row;

/** Puts the rows of two replies into one list each, in `data` too where it is a record with a list. */
function joined(before: Body, after: Body): Body {
  const fields = Object.entries(after).map(([name, value]): [string, unknown] => {
    const first = before[name];
    if (Array.isArray(first) && Array.isArray(value)) return [name, [...(first as unknown[]), ...(value as unknown[])]];
    return [name, name === 'data' && isRecord(first) && isRecord(value) ? joined(first, value) : value];
  });
  return Object.fromEntries(fields);
}

const isRecord = (value: unknown): value is Body =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
