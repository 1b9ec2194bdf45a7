/**
 * What the page of an odd request has seen: it reads the record from the server as a page does, and names it in the body. Without
 * it, most changes and decisions would be refused for what they have not seen.
 */
import type { Role } from '#domain/staff/roles.ts';
import type { OddRequest, Sight } from './fuzz-requests.ts';
import type { Route } from './openapi-routes.ts';

/** A decision rests on a few fields. Some others change all the time, such as when a device was heard of. */
const mostFields = 3;

type Fields = Record<string, unknown>;

/** Reads an address as a person of a role; null if that person finds nothing there. */
export type Read = (url: string, role: Role) => Promise<unknown>;

interface Place {
  url: string;
  /** True for the record among all that the address shows. */
  isIt: (found: Fields) => boolean;
  /** True for what a page shows as its tablet has stored it: it is read once. */
  isStored?: true;
}

/** What is listed elsewhere than where it is changed. */
const listedElsewhere: Record<string, (id: string) => Place> = {
  '/api/attention/{id}': (id) => ({
    url: '/api/sync/changes',
    isStored: true,
    isIt: (found) => 'settled_at' in found && hasId(found, id),
  }),
  '/api/stock/inventory/alerts/{id}': (id) => ({
    url: '/api/stock/inventory/alerts',
    isIt: (found) => hasId(found, id),
  }),
  '/api/stock/purchase-orders/items/{id}': (id) => ({
    url: '/api/purchase-orders',
    isIt: ({ items }) => Array.isArray(items) && items.some((item) => hasId(item as Fields, id)),
  }),
  '/api/kitchen/orders/{orderId}/items/{itemId}': (id) => ({
    url: '/api/kitchen/orders',
    isIt: (found) => hasId(found, id),
  }),
  '/api/users/{id}': (id) => ({ url: '/api/users?size=100', isIt: (found) => hasId(found, id) }),
};

/** Where a page shows of a record something else than its address has, by the name of the route. */
const shownOf: Record<string, (record: Fields) => Fields> = {
  // The form of an order has no names of its items.
  'PUT /api/purchase-orders/{id}': ({ items, ...order }) => ({
    ...order,
    items: (items as Fields[]).map(({ stock_id, quantity, unit_cost }) => ({ stock_id, quantity, unit_cost })),
  }),
  // A page of the patient's treatments comes beside the patient.
  'POST /api/patients/{id}/erase': ({ treatments: _treatments, ...patient }) => patient,
};

const hasId = ({ id }: Fields, wanted: string): boolean => String(id) === wanted;

export interface SentBody {
  text: string | undefined;
  /** True if it says that the page has seen what is stored. */
  isTrue: boolean;
}

/** Reads records for the bodies of requests. */
export class Sights {
  private readonly readable: ReadonlySet<string>;
  /** The records by their readers and addresses. */
  private readonly first = new Map<string, Fields>();

  private readonly stored = new Map<string, Promise<unknown>>();

  constructor(
    routes: readonly Route[],
    private readonly read: Read,
  ) {
    this.readable = new Set(routes.filter(({ method }) => method === 'GET').map(({ path }) => path));
  }

  /** Returns the body with what its page has seen; as it is if it says so itself, or if there is no such record. */
  async bodyOf({ route, role, url, body, sight }: OddRequest): Promise<SentBody> {
    if (!sight || !role || !body?.startsWith('{') || body.includes('"seen":')) return { text: body, isTrue: false };
    const found = await this.recordAt(route, { url, role }, sight);
    if (!found) return { text: body, isTrue: false };
    const { isTrue } = found;
    const record = shownOf[route.name]?.(found.record) ?? found.record;
    const names = changedFields(route, body) ?? someOf(Object.keys(record), sight.first);
    const seen = JSON.stringify(Object.fromEntries(names.map((name) => [name, record[name]])));
    // In the text, because a body may have what JSON.stringify does not write again.
    const text = body.replace('{', () => `{"seen":${seen}${/^\{\s*\}/.test(body) ? '' : ','}`);
    return { text, isTrue };
  }

  private shown({ url, isStored }: Place, role: Role): Promise<unknown> {
    const name = `${role} ${url}`;
    const kept = this.stored.get(name) ?? this.read(url, role);
    if (isStored) this.stored.set(name, kept);
    return kept;
  }

  private async recordAt(
    route: Route,
    { url, role }: { url: string; role: Role },
    { when }: Sight,
  ): Promise<{ record: Fields; isTrue: boolean } | null> {
    const address = url.split('?')[0]!;
    const name = `${role} ${address}`;
    const earlier = this.first.get(name);
    if (when === 'earlier' && earlier) return { record: earlier, isTrue: false };
    const place = placeOf(this.readable, route, address);
    const record = find(await this.shown(place, role), place.isIt);
    if (record && !earlier) this.first.set(name, record);
    return record && { record, isTrue: !place.isStored };
  }
}

/** Returns where a page reads the record of an address. */
function placeOf(readable: ReadonlySet<string>, { path }: Route, address: string): Place {
  const record = path.slice(0, path.lastIndexOf('}') + 1);
  // Of some nouns there is one record.
  if (record === '') return { url: path, isIt: isFirst };
  const parts = address.split('/').slice(0, record.split('/').length);
  const id = parts.at(-1)!;
  if (record in listedElsewhere) return listedElsewhere[record]!(id);
  if (readable.has(record)) return { url: parts.join('/'), isIt: isFirst };
  return { url: record.slice(0, record.lastIndexOf('/')), isIt: (found) => hasId(found, id) };
}

const isFirst = (): boolean => true;

/** Returns the fields that a change sets, which are those that its form has seen; undefined for a decision. */
function changedFields({ body }: Route, text: string): string[] | undefined {
  const known = body?.properties?.seen?.properties;
  if (!known) return undefined;
  try {
    return Object.keys(JSON.parse(text) as Fields).filter((name) => Object.hasOwn(known, name));
  } catch {
    return [];
  }
}

function someOf(names: readonly string[], first: number): string[] {
  const start = first % names.length;
  return [...names.slice(start), ...names.slice(0, start)].slice(0, mostFields);
}

/** Returns the first object in a reply's data, at any depth, that is the wanted one; null if none is. */
function find(data: unknown, isIt: (found: Fields) => boolean): Fields | null {
  const left = [data];
  for (let next = left.shift(); left.length > 0 || next !== undefined; next = left.shift()) {
    if (typeof next !== 'object' || next === null) continue;
    if (!Array.isArray(next) && isIt(next as Fields)) return next as Fields;
    left.push(...(Object.values(next) as unknown[]));
  }
  return null;
}
