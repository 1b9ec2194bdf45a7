/**
 * Generates requests with fast-check from the API's OpenAPI description. Most parts of a request are valid; sometimes a
 * value, field, parameter, header or the whole body is one that the app would never send.
 */
import fc from 'fast-check';
import { z } from 'zod';
import { operationKinds } from '#domain/protocol/operations.ts';
import type { OperationKind } from '#domain/protocol/operations.ts';
import { payloadSchemas } from '#domain/protocol/operation-schemas.ts';
import { roles } from '#domain/staff/roles.ts';
import type { Role } from '#domain/staff/roles.ts';
import type { Sql } from '#server/db/sql.ts';
import type { ActorKey } from '#src/db/proof.ts';
import { isUuid } from './openapi-routes.ts';
import type { Parameter, Route, Schema } from './openapi-routes.ts';
import { signedBy } from './proofs.ts';

/** What a page has seen of the record that it changes or decides on. */
export interface Sight {
  /** Which values the body names: those that are stored, or those that were stored when the record was first read. */
  when: 'stored' | 'earlier';
  /** Chooses the fields that a decision rests on. */
  first: number;
}

export interface OddRequest {
  route: Route;
  /** Role of the sender; null without a session. */
  role: Role | null;
  url: string;
  headers: Record<string, string>;
  /** Undefined without a body. */
  body: string | undefined;
  /** What the body gets of what its page has seen (`Sights` in fuzz-seen.ts); null if it goes as it is. */
  sight: Sight | null;
}

/** What has a UUID as its id. */
export type Noun = 'order' | 'line' | 'patient' | 'drawer';

/** Ids that exist in the clinic, so that requests find rows. */
export interface Known {
  uuids: Readonly<Record<Noun, readonly string[]>>;
  /** Highest numeric id to use. */
  lastId: number;
  /** Author of the operations, with its key on its device. */
  actorId: number;
  key: ActorKey;
}

const chosen: Record<Noun, string> = {
  order: 'select id from orders where clinic_id = $1 order by created_at desc limit 20',
  line: 'select id from order_lines where clinic_id = $1 order by id desc limit 4',
  patient: 'select id from patients where clinic_id = $1 order by id limit 3',
  drawer: 'select id from drawers where clinic_id = $1 order by opened_at desc limit 3',
};

/** Returns rows of a demo clinic that requests may name. */
export async function knownUuids(sql: Sql, clinicId: number): Promise<Known['uuids']> {
  const found: Partial<Record<Noun, string[]>> = {};
  for (const [noun, statement] of Object.entries(chosen))
    found[noun as Noun] = (await sql.query<{ id: string }>(statement, [clinicId])).rows.map(({ id }) => id);
  return found as Known['uuids'];
}

/** Placeholder for a number beyond the range of a double, which `JSON.stringify` cannot write. */
const endless = '@endless@';

const oddTexts = [
  '',
  ' ',
  'NaN',
  'Infinity',
  '-0',
  '1e309',
  '0x10',
  '१२३',
  'null',
  'true',
  '[object Object]',
  '__proto__',
  'constructor',
  '\u0000',
  'a\u0000b',
  '\ud800',
  '\udfff\ud800',
  '\ufeff',
  '\uffff',
  '\u202Egnp.exe',
  'שלום עולם',
  'e\u0301'.repeat(50),
  '👩‍⚕️🦷',
  'ﷺ',
  'İıſK',
  "' or 1=1; --",
  '%',
  '_%_',
  '\\',
  '\r\nx: y',
  '{{7*7}}',
  '${7}',
  '../../etc/passwd',
  '=1+1',
  '<script>',
  'x'.repeat(201),
  'x'.repeat(5000),
  '0000-00-00',
  '2026-02-30',
  '9999-12-31',
  '+275760-09-13',
  '0001-01-01',
  '9999-12-31T23:59:59.999Z',
  '0000-01-01T00:00:00Z',
  '12:00',
  '00000000-0000-0000-0000-000000000000',
  'FFFFFFFF-FFFF-FFFF-FFFF-FFFFFFFFFFFF',
  'data:image/png;base64,AAAA',
  'javascript:alert(1)',
];
const oddNumbers = [
  0,
  -1,
  -0.001,
  0.1 + 0.2,
  0.005,
  1.005,
  1e-7,
  1e21,
  1e300,
  -1e300,
  5e-324,
  2 ** 31 - 1,
  2 ** 31,
  2 ** 32,
  2 ** 53,
  2 ** 63,
  -(2 ** 63),
  1e10,
  1e10 + 0.01,
];
/** Members that a conversion or an `await` of the object would call. */
const oddObject = fc
  .constantFrom('toString', 'valueOf', 'toJSON', 'then', '__proto__', 'constructor', 'length')
  .map((name) => JSON.parse(`{"${name}":1}`) as object);

export const oddValues: fc.Arbitrary<unknown> = fc.oneof(
  oddObject,
  fc.constantFrom<unknown>(...oddTexts),
  fc.constantFrom<unknown>(...oddNumbers, null, true, false, [], {}, [[]], [null], endless),
  fc.jsonValue({ maxDepth: 3 }),
  fc.string({ unit: 'binary', maxLength: 12 }),
);

const mostly = <T>(usual: fc.Arbitrary<T>, odd: fc.Arbitrary<unknown> = oddValues): fc.Arbitrary<unknown> =>
  fc.oneof({ weight: 60, arbitrary: usual }, { weight: 1, arbitrary: odd });

const some = fc.integer({ min: 1, max: 999 });

/** Valid texts for fields whose format the domain checks and the schema does not describe. */
const usualTexts: Record<string, fc.Arbitrary<string>> = {
  email: some.map((number) => `person${number}@clinic.test`),
  password: fc.constant('a long enough password'),
  current_password: fc.constant('another password'),
  name: some.map((number) => `Name ${number}`),
  number: some.map((number) => `A7-${number}`),
  table_number: some.map(String),
  phone: some.map((number) => `600 111 ${number}`),
  csv: fc.constantFrom(
    'name,unit,supplier,supplier_contact,quantity,low_stock_threshold,cost_per_unit\nGauze,boxes,Sur,600,1,1,1',
    'name,price\nFilling,60',
  ),
  expense_date: fc.constant('2026-02-10'),
  issued_on: fc.constant('2026-02-10'),
  operation_on: fc.constant('2026-02-10'),
  country: fc.constantFrom('ES', 'FR'),
  startDate: fc.constant('2026-02-10'),
  endDate: fc.constant('2026-02-20'),
  from: fc.constant('2026-02-10'),
  until: fc.constant('2026-02-20'),
  image_url: fc.constant('/uploads/1/0190a5b0-0000-7000-8000-000000000000.webp'),
  reason: fc.constant('asked for by the patient'),
  rejection_reason: fc.constant('not for the clinic'),
  title: fc.constant('Rent of March'),
  description: fc.constant('The premises, as each month'),
  category: fc.constantFrom('rent', 'supplies', 'other'),
  receipt_url: fc.constant('https://clinic.test/a.pdf'),
  color: fc.constant('#3182CE'),
  time_zone: fc.constantFrom('Europe/Madrid', 'America/New_York'),
};

/** Texts for patterns: a month, the code of a chain, a seal, and a colour. */
const patterned = ['2026-02', 'AB1', '0123456789ABCDEF', '#3182CE'];

/** Generates values for schemas: mostly valid ones, sometimes odd ones. */
class Drawing {
  /** The payloads of each kind of operation, described once: a description takes longer than a request. */
  private readonly payloads: ReadonlyMap<OperationKind, fc.Arbitrary<unknown>>;

  constructor(private readonly known: Known) {
    this.payloads = new Map(
      operationKinds.map((kind) => {
        const schema = z.toJSONSchema(payloadSchemas[kind], { io: 'input', unrepresentable: 'any' }) as Schema;
        return [kind, this.value(schema)];
      }),
    );
  }

  /** @param name name of the field, which selects a valid text from `usualTexts` */
  value(schema: Schema, name = ''): fc.Arbitrary<unknown> {
    return mostly(this.fitting(schema, name));
  }

  private fitting(schema: Schema, name: string): fc.Arbitrary<unknown> {
    if (schema.const !== undefined) return fc.constant(schema.const);
    if (schema.enum) return fc.constantFrom(...schema.enum);
    if (schema.anyOf) return fc.oneof(...schema.anyOf.map((one) => this.value(one, name)));
    const {
      maximum = 1_000_000,
      exclusiveMinimum,
      minimum = exclusiveMinimum === undefined ? -100 : exclusiveMinimum + 1,
    } = schema;
    switch (schema.type) {
      case 'object':
        return this.object(schema);
      case 'array':
        return fc.array(this.value(schema.items ?? {}, name), {
          minLength: schema.minItems ?? (name === 'items' ? 1 : 0),
          maxLength: Math.max(schema.minItems ?? 0, 3),
        });
      case 'integer':
        return fc.oneof(
          { weight: 8, arbitrary: this.id() },
          { weight: 1, arbitrary: fc.integer({ min: minimum, max: maximum }) },
          { weight: 1, arbitrary: fc.constantFrom(minimum, maximum) },
        );
      case 'number':
        return fc.oneof(
          { weight: 6, arbitrary: fc.integer({ min: 1, max: 20 }) },
          { weight: 6, arbitrary: fc.integer({ min: 0, max: 10_000 }).map((cents) => cents / 100) },
          { weight: 1, arbitrary: fc.constantFrom(minimum, maximum) },
        );
      case 'boolean':
        return fc.boolean();
      case 'null':
        return fc.constant(null);
      case 'string':
        return this.text(schema, name);
      default:
        return oddValues;
    }
  }

  private object({ properties = {}, required = [] }: Schema): fc.Arbitrary<object> {
    const fields = this.fields(properties);
    // The domain refuses an order without items.
    const requiredKeys = [...new Set([...required, 'items'])].filter((name) => fields[name]);
    const needed = Object.fromEntries(requiredKeys.map((name) => [name, fields[name]!]));
    // Each further field is one more that the domain may refuse.
    return fc.oneof(
      { weight: 3, arbitrary: fc.record(fields, { requiredKeys }) },
      { weight: 1, arbitrary: fc.record(needed) },
    );
  }

  private fields(properties: Record<string, Schema>): Record<string, fc.Arbitrary<unknown>> {
    return Object.fromEntries(Object.entries(properties).map(([name, field]) => [name, this.value(field, name)]));
  }

  /** Generates the body of a change or a decision; one in ten has seen what no page shows. */
  decided(form: Schema): fc.Arbitrary<unknown> {
    const { seen, ...properties } = form.properties!;
    const isChange = seen!.properties !== undefined && !form.required?.length;
    const usual = isChange ? mostly(fewOf(this.fields(properties))) : this.value({ ...form, properties });
    const names = fc.constantFrom(...Object.keys(properties), 'id', 'status', 'amount', 'password_hash', '__proto__');
    const odd = fc.oneof(oddValues, this.value(seen!), fc.dictionary(names, oddValues, { maxKeys: 3 }));
    const hostile = fc.tuple(usual, odd).map(([body, unseen]) => withSeen(body, unseen));
    return fc.oneof({ weight: 9, arbitrary: usual }, { weight: 1, arbitrary: hostile });
  }

  private text(schema: Schema, name: string): fc.Arbitrary<string> {
    if (isUuid(schema)) return this.uuid(name);
    const digits = fc.integer({ min: 1, max: 28 }).map((day) => String(day).padStart(2, '0'));
    if (schema.format === 'date') return digits.map((day) => `2026-02-${day}`);
    if (schema.format === 'date-time') return digits.map((day) => `2026-02-${day}T10:00:00.000Z`);
    const { pattern } = schema;
    const fitting = pattern === undefined ? [] : patterned.filter((text) => new RegExp(pattern).test(text));
    if (fitting.length > 0) return fc.constantFrom(...fitting);
    if (name in usualTexts) return usualTexts[name]!;
    const { minLength = 0, maxLength = 30 } = schema;
    const free = fc.string({ unit: 'grapheme', minLength, maxLength: Math.max(minLength, Math.min(maxLength, 30)) });
    return fc.oneof(
      free,
      fc
        .constantFrom('walk_in', 'cash', '2026-02-10', 'Ana García', 'a@clinic.test', '#3182CE', 'Gauze')
        .filter((text) => text.length <= maxLength),
    );
  }

  /** Of some nouns there are few rows. */
  id(): fc.Arbitrary<number> {
    return fc.oneof(fc.integer({ min: 1, max: 8 }), fc.integer({ min: 1, max: this.known.lastId }));
  }

  /** @param name name of the field, which tells most often whose id it takes */
  uuid(name = ''): fc.Arbitrary<string> {
    const { uuids } = this.known;
    const all = Object.values(uuids).flat();
    const noun = /order|patient|drawer|line|item/.exec(name)?.[0].replace('item', 'line') as Noun | undefined;
    return fc.oneof(
      { weight: 8, arbitrary: fc.constantFrom(...(noun ? uuids[noun] : all)) },
      { weight: 2, arbitrary: fc.constantFrom(...all) },
      { weight: 1, arbitrary: fc.uuid() },
    );
  }

  /** Generates operations as a device sends them. The OpenAPI description of a batch leaves their content open. */
  operation(): fc.Arbitrary<unknown> {
    const { key, actorId } = this.known;
    return fc.constantFrom(...operationKinds).chain((kind) =>
      this.payloads.get(kind)!.chain((payload) => {
        const { order_id, stock_id = 1, drawer_id } = (payload ?? {}) as Record<string, unknown>;
        // An odd value may be an object without toString, which no template takes.
        const [name, id] = order_id ? ['order', order_id] : drawer_id ? ['drawer', drawer_id] : ['stock', stock_id];
        const aggregate = `${name}:${typeof id === 'string' ? id : JSON.stringify(id)}`;
        const operation = fc.record(
          {
            op_id: fc.oneof({ weight: 20, arbitrary: fc.uuid() }, { weight: 1, arbitrary: this.uuid() }),
            device_id: mostly(fc.constant(key.deviceId)),
            device_seq: mostly(fc.integer({ min: 1, max: 1000 })),
            aggregate: mostly(fc.constant(aggregate)),
            depends_on: mostly(fc.constant([])),
            supersedes: mostly(this.uuid()),
            kind: mostly(fc.constant(kind)),
            v: mostly(fc.constant(1)),
            payload: fc.constant(payload),
            actor_id: mostly(fc.constant(actorId)),
            occurred_at: mostly(fc.constant('2026-03-04T12:00:00.000Z')),
            clock_offset_ms: mostly(fc.constant(0)),
          },
          {
            requiredKeys: [
              'op_id',
              'device_id',
              'device_seq',
              'aggregate',
              'depends_on',
              'kind',
              'v',
              'payload',
              'actor_id',
              'occurred_at',
              'clock_offset_ms',
            ],
          },
        );
        return operation.chain((fields) => mostly(fc.constant(signedBy(key, fields)), fc.constant(fields)));
      }),
    );
  }
}

const withSeen = (body: unknown, seen: unknown): unknown =>
  typeof body === 'object' && body !== null ? { ...body, seen } : body;

/** A form sends the few fields that its user has changed. */
const fewOf = (fields: Record<string, fc.Arbitrary<unknown>>): fc.Arbitrary<object> =>
  fc
    .subarray(Object.keys(fields), { minLength: 1, maxLength: Math.min(4, Object.keys(fields).length) })
    .chain((names) => fc.record(Object.fromEntries(names.map((name) => [name, fields[name]!]))));

const written = (value: unknown): string => JSON.stringify(value).replaceAll(`"${endless}"`, '9'.repeat(400));

const rawBodies = [
  '',
  '{',
  '[',
  'null',
  '0',
  '"text"',
  '[]',
  '{"__proto__":{"admin":true}}',
  '{"constructor":{"prototype":{"admin":true}}}',
  '{"a":1,"a":2}',
  '\u0000',
  '\ufeff{}',
  '['.repeat(50_000),
  `${'{"a":'.repeat(20_000)}1${'}'.repeat(20_000)}`,
  `{"items":${'['.repeat(5000)}${']'.repeat(5000)}}`,
  `[${'0,'.repeat(200_000)}0]`,
];

/** Adds long texts to a body, so that its size is below, near or above the limit of one megabyte. */
const swollen = (body: unknown) =>
  fc
    .tuple(fc.constantFrom(200_000, 1_000_000, 1_100_000), fc.constantFrom('x', '\\', 'é', '\u0000', '🦷'))
    .map(([length, letter]) => {
      const text = letter.repeat(length / letter.length);
      return typeof body === 'object' && body !== null && !Array.isArray(body)
        ? { ...body, name: text, notes: text.slice(0, 10), search: text.slice(0, 10) }
        : text;
    });

const uploadPath = '/api/upload/file';

const form = fc
  .tuple(
    fc.constantFrom('file', 'purpose', '__proto__', ''),
    fc.constantFrom('a.png', 'a.pdf', '../a.png', ''),
    fc.constantFrom('%PDF-1.4\n%%EOF', '\u0089PNG\r\n', 'receipt', ''),
    fc.constantFrom('--', ''),
  )
  .map(
    ([name, file, content, end]) =>
      `--x\r\nContent-Disposition: form-data; name="${name}"; filename="${file}"\r\n\r\n${content}\r\n--x${end}\r\n`,
  );

/** What the address names already: a body that names it too must name the same. */
const inAddresses = ['order_id', 'drawer_id'];

/** Returns the schema of a body without what the address of its route names already. */
function unrepeated(path: string, body: Schema): Schema {
  if (!path.includes('{id}') || !body.properties) return body;
  const others = Object.entries(body.properties).filter(([name]) => !inAddresses.includes(name));
  return { ...body, properties: Object.fromEntries(others) };
}

/** Returns the schema of a body that may say what was seen. A decision that says nothing else needs no body. */
const decisionIn = (body: Schema | undefined): Schema | undefined =>
  [body, ...(body?.anyOf ?? [])].find((one) => one?.properties?.seen);

function bodyOf(drawing: Drawing, { path, body }: Route): fc.Arbitrary<string | undefined> {
  if (path === uploadPath) return form;
  if (!body)
    return fc.oneof(
      { weight: 9, arbitrary: fc.constant(undefined) },
      { weight: 1, arbitrary: fc.constantFrom(...rawBodies) },
    );
  const decision = decisionIn(body);
  const usual =
    path === '/api/sync/batch'
      ? fc.record({
          operations: fc.array(drawing.operation(), { minLength: 1, maxLength: 4 }),
        })
      : fc.oneof(
          {
            weight: 9,
            arbitrary: decision ? drawing.decided(unrepeated(path, decision)) : drawing.value(unrepeated(path, body)),
          },
          { weight: 1, arbitrary: drawing.value(body) },
        );
  const more = fc.dictionary(
    fc.constantFrom('clinic_id', 'id', 'role', '__proto__', 'toString', 'constructor', '', 'é'),
    oddValues,
    { maxKeys: 3 },
  );
  return fc.oneof(
    { weight: 90, arbitrary: usual.map(written) },
    {
      weight: 5,
      arbitrary: fc
        .tuple(usual, more)
        .map(([fields, others]) => written(typeof fields === 'object' ? { ...fields, ...others } : others)),
    },
    { weight: 4, arbitrary: fc.constantFrom(...rawBodies) },
    { weight: 1, arbitrary: usual.chain(swollen).map(written) },
  );
}

/** Parts of a URL with odd or invalid encoding, or with odd values. */
const rawParts = [
  '%00',
  '%zz',
  '%',
  '%ED%A0%80',
  '%C0%AF',
  '..%2f..',
  '.',
  '%2e%2e',
  "1'--",
  '9'.repeat(400),
  '2147483648',
  '-1',
  '0',
  '1.5',
  '1e3',
  '%F0%9F%A6%B7',
  'x'.repeat(1000),
  '%20',
  'null',
];

const writtenOut = (value: unknown): string => (typeof value === 'string' ? value : (JSON.stringify(value) ?? ''));

const inAddress = (value: unknown): string => encodeURIComponent(writtenOut(value).replace(/\p{Cs}/gu, '�'));

function addressOf(drawing: Drawing, { path, parameters }: Route): fc.Arbitrary<string> {
  const part = ({ name, schema }: Parameter) =>
    mostly(
      drawing.value(schema, name === 'id' ? path.slice(0, path.indexOf('/{id}')) : name).map(inAddress),
      fc.constantFrom(...rawParts),
    ) as fc.Arbitrary<string>;
  const named = (place: Parameter['in']) =>
    Object.fromEntries(
      parameters.filter((parameter) => parameter.in === place).map((parameter) => [parameter.name, part(parameter)]),
    );
  const stray = fc.constantFrom(
    'page=1&page=2',
    'search[]=x',
    'page[$gt]=1',
    '__proto__[x]=1',
    '=',
    '&&',
    '%00=1',
    'clinic_id=2',
    `x=${'y'.repeat(3000)}`,
  );
  return fc
    .tuple(
      fc.record(named('path')),
      fc.record(named('query'), { requiredKeys: [] }),
      fc.oneof({ weight: 20, arbitrary: fc.constant('') }, { weight: 1, arbitrary: stray }),
    )
    .map(([inPath, inQuery, more]) => {
      const query = [...Object.entries(inQuery).map(([name, value]) => `${name}=${value}`), more]
        .filter(Boolean)
        .join('&');
      const address = path.replace(/\{(\w+)\}/g, (_all, name: string) => inPath[name] ?? '');
      return query ? `${address}?${query}` : address;
    });
}

const usualType = (path: string) => (path === uploadPath ? 'multipart/form-data; boundary=x' : 'application/json');
const oddTypes = [
  '',
  'json',
  'text/plain',
  'application/xml',
  'application/x-www-form-urlencoded',
  'multipart/form-data',
  'multipart/form-data; boundary=x',
  'application/json; charset=utf-16',
  'application/octet-stream',
  '*/*',
  'application/json;;;',
];

function headersOf(path: string, hasBody: boolean): fc.Arbitrary<Record<string, string>> {
  const type = fc.oneof(
    { weight: 30, arbitrary: fc.constant(usualType(path)) },
    { weight: 1, arbitrary: fc.constantFrom(...oddTypes) },
  );
  const key = fc.oneof(
    { weight: 20, arbitrary: fc.uuid() },
    { weight: 1, arbitrary: fc.constantFrom('', ' ', 'twice', 'x'.repeat(201), 'x'.repeat(200), '__proto__') },
  );
  const usual = { 'idempotency-key': key, 'accept-encoding': fc.constantFrom('br', 'gzip;q=x', '*') };
  const typed = fc.record({ 'content-type': type, ...usual }, { requiredKeys: ['content-type'] });
  const untyped = fc.record(usual, { requiredKeys: [] });
  return hasBody ? typed : fc.oneof({ weight: 20, arbitrary: untyped }, { weight: 1, arbitrary: typed });
}

/** Most pages show what is stored, and some what was stored once. Other programs say nothing of it. */
function sightOf({ body }: Route): fc.Arbitrary<Sight | null> {
  if (!decisionIn(body)) return fc.constant(null);
  const seenAt = (when: Sight['when']) => fc.nat(999_999).map((first) => ({ when, first }));
  return fc.oneof(
    { weight: 8, arbitrary: seenAt('stored') },
    { weight: 1, arbitrary: seenAt('earlier') },
    { weight: 1, arbitrary: fc.constant(null) },
  );
}

export function oddRequest(routes: readonly Route[], known: Known): fc.Arbitrary<OddRequest> {
  const drawing = new Drawing(known);
  const role = fc.oneof(
    { weight: 12, arbitrary: fc.constant<Role | null>('admin') },
    { weight: 5, arbitrary: fc.constantFrom<Role | null>(...roles) },
    { weight: 1, arbitrary: fc.constant(null) },
  );
  const requests = routes.map((route) =>
    fc
      .tuple(role, addressOf(drawing, route), bodyOf(drawing, route), sightOf(route))
      .chain(([by, url, body, sight]) =>
        headersOf(route.path, body !== undefined).map((headers) => ({ route, role: by, url, body, sight, headers })),
      ),
  );
  return fc.oneof(...requests);
}
