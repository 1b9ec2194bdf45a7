/** A clinic in Madrid on a real server, whose clock the test sets, and everything that it has accepted so far. */
import type { Random } from '#tests/support/random.ts';
import { startTestServer } from '#tests/support/server.ts';
import type { TestServer } from '#tests/support/server.ts';
import { cents } from '../integers.ts';
import { entriesOf } from '../wire.ts';
import type { Entry, StoredOperation, Tax } from '../wire.ts';

/** A service that the clinic sells. */
export interface Service {
  id: number;
  name: string;
  price: number;
  /** What it bears under the tax profile. */
  tax: Tax;
}

const catalogue = [
  ['Check-up', 35, 'E1'],
  ['Filling', 60.5, 'E1'],
  ['Crown', 412.35, 'E1'],
  ['X-ray', 27.99, 'E1'],
  ['Whitening', 181.5, 'standard'],
  ['Toothbrush', 6.05, 'standard'],
  ['Night guard', 99.99, 'reduced'],
  ['Fluoride gel', 10.37, 'super_reduced'],
  ['Advice', 0, 'E1'],
] as const;

const rates = { standard: 21, reduced: 10, super_reduced: 4 };

export const recipient = {
  name: 'Eva Ruiz',
  tax_id: '12345678Z',
  address: 'Calle Sol 2',
  postal_code: '28013',
  city: 'Madrid',
};
export const issuer = {
  legal_name: 'Clínica Dental Luz, S.L.',
  tax_id: 'B65410011',
  address: 'Calle Mayor 1',
  postal_code: '28013',
  city: 'Madrid',
};

export interface Reply<T = unknown> {
  status: number;
  data: T;
  body: string;
}

/** An operation as the server has stored it. */
export class LedgerClinic {
  /** What was accepted, in the order of arrival. */
  readonly accepted: Entry[] = [];
  /** The places in `accepted` of what was accepted of each treatment, the first treatment first. */
  private readonly placesOf = new Map<string, number[]>();
  services: Service[] = [];
  /** What new treatments and drawers are in. */
  currency = 'EUR';
  /** A person without a tablet: the calls of the API. */
  private desk = '';

  private constructor(
    readonly server: TestServer,
    readonly isTaxed: boolean,
    private readonly random: Random,
    private readonly clock: { nowMs: number },
  ) {}

  static async open(nowMs: number, { isTaxed, random }: { isTaxed: boolean; random: Random }): Promise<LedgerClinic> {
    const clock = { nowMs };
    // The week of a test is one session.
    const server = await startTestServer({ now: () => clock.nowMs, environment: { SESSION_HOURS: '168' } });
    const clinic = new LedgerClinic(server, isTaxed, random, clock);
    clinic.desk = await server.login('admin');
    if (isTaxed) await clinic.ask('PUT', '/settings', { tax_profile: 'ES', books_by_sii: true, ...issuer });
    for (const [name, price, code] of catalogue) {
      const made = await clinic.ask<{ id: number }>('POST', '/products', { name, price: price || 1, tax: code });
      clinic.services.push({
        id: made.data.id,
        name,
        price,
        tax: code === 'E1' ? { exempt: code } : { rate: rates[code] },
      });
    }
    // A form asks for a price, but an earlier version did not.
    await clinic.rows(`update products set price_minor = 0 where clinic_id = $1 and name = 'Advice'`);
    return clinic;
  }

  /** Changes the currency. Treatments and open drawers keep theirs. */
  async changeCurrency(currency: string): Promise<void> {
    await this.ask('PUT', '/settings', { currency });
    this.currency = currency;
  }

  get nowMs(): number {
    return this.clock.nowMs;
  }

  set nowMs(ms: number) {
    this.clock.nowMs = ms;
  }

  /** Lets time pass, so that no two things happen at once. */
  pass(ms: number): void {
    this.clock.nowMs += Math.max(1, ms);
  }

  /** Returns a UUID of version 7 by the clinic's clock. */
  newId(): string {
    const time = this.nowMs.toString(16).padStart(12, '0');
    const [a, b, c] = [2, 2, 6].map((count) => Buffer.from(this.random.bytes(count)).toString('hex'));
    return `${time.slice(0, 8)}-${time.slice(8)}-7${a!.slice(1)}-8${b!.slice(1)}-${c}`;
  }

  async call<T>(
    method: 'GET' | 'POST' | 'PUT' | 'PATCH',
    url: string,
    payload?: object,
    key?: string,
  ): Promise<Reply<T>> {
    const headers = { authorization: `Bearer ${this.desk}`, ...(key && { 'idempotency-key': key }) };
    const reply = await this.server.app.inject({ method, url: `/api${url}`, headers, ...(payload && { payload }) });
    const isJson = String(reply.headers['content-type']).includes('json');
    return {
      status: reply.statusCode,
      data: isJson ? (reply.json<{ data: T }>().data ?? reply.json<T>()) : (reply.rawPayload as T),
      body: reply.body,
    };
  }

  /** Calls the API, and throws where it refuses. */
  async ask<T>(
    method: 'GET' | 'POST' | 'PUT' | 'PATCH',
    url: string,
    payload?: object,
    key?: string,
  ): Promise<Reply<T>> {
    const reply = await this.call<T>(method, url, payload, key);
    if (reply.status >= 300) {
      throw new Error(`${method} ${url} ${JSON.stringify(payload)} was answered with ${reply.status} ${reply.body}`);
    }
    return reply;
  }

  /** Writes by a call of the API. Returns the operation that the server made of it. */
  async write(method: 'POST' | 'PUT' | 'PATCH', url: string, payload: object): Promise<Entry> {
    const { body } = await this.ask(method, url, payload, this.newId());
    // The server derives the id of the operation from the key. Calls follow each other, so its receipt is the newest.
    const receipts = await this.rows<{ op_id: string }>(
      'select op_id from sync_ops where clinic_id = $1 and reply = $2 order by xid desc limit 1',
      [body],
    );
    const [entry] = await this.accept(receipts.map(({ op_id }) => op_id));
    if (!entry) throw new Error(`${method} ${url} left no operation.`);
    return entry;
  }

  /** Notes that the server has accepted these operations. */
  async accept(opIds: readonly string[]): Promise<Entry[]> {
    const rows = await this.rows<StoredOperation>(
      `select op_id, kind, payload, device_id, device_seq::int, actor_id, (extract(epoch from effective_at) * 1000)::float8 as effective_ms
       from sync_ops where clinic_id = $1 and op_id = any($2::uuid[]) and status = 'applied'`,
      [opIds],
    );
    const byId = new Map(rows.map((row) => [row.op_id, row]));
    const entries = entriesOf(opIds.flatMap((opId) => byId.get(opId) ?? []));
    for (const entry of entries) {
      const place = this.accepted.push(entry) - 1;
      if (!('order_id' in entry.payload)) continue;
      const { order_id: id } = entry.payload;
      this.placesOf.set(id, [...(this.placesOf.get(id) ?? []), place]);
    }
    return entries;
  }

  /** Returns the ids of the newest treatments. @param heard how much of what was accepted is known */
  newest(count: number, heard = this.accepted.length): string[] {
    return [...this.placesOf].flatMap(([id, [first]]) => (first! < heard ? id : [])).slice(-count);
  }

  /** Returns what was accepted of a treatment. @param heard how much of what was accepted is known */
  entriesOf(orderId: string, heard = this.accepted.length): Entry[] {
    return (this.placesOf.get(orderId) ?? []).flatMap((place) => (place < heard ? this.accepted[place]! : []));
  }

  /** Queries the database; `$1` is the clinic. */
  async rows<T>(text: string, values: readonly unknown[] = []): Promise<T[]> {
    const { clinicId, database } = this.server;
    return (await database.$client.query(text, [clinicId, ...values])).rows as T[];
  }

  close(): Promise<void> {
    return this.server.close();
  }
}

/** Returns the price of a service in cents. */
export const priceOf = ({ price }: Service): number => cents(price);
