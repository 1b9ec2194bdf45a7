/**
 * A signed-in, enrolled tablet without the app. It makes operations as the app does, and sends them to a test server.
 */
import { minorFromWire, minorToWire } from '#domain/money.ts';
import { extend, milliFromWire } from '#domain/quantity.ts';
import { formatNumber, noNumbersUsed } from '#domain/order/numbers.ts';
import type { NumberCounters, Series } from '#domain/order/numbers.ts';
import { operationVersion } from '#domain/protocol/operations.ts';
import { drawerAggregate } from '#domain/drawer/operations.ts';
import { orderAggregate } from '#domain/order/operations.ts';
import type { InvoicePayload } from '#domain/order/order.ts';
import type { LinePayload } from '#domain/order/operations.ts';
import type { AnyOperation, Operation, OperationKind, PayloadOf } from '#domain/protocol/operations.ts';
import type { BatchReply, ChangesPage, DeviceReply, OperationResult } from '#domain/protocol/sync.ts';
import type { Role } from '#domain/staff/roles.ts';
import type { ActorKey } from '#src/db/proof.ts';
import { actorKeyIn, signedBy } from './proofs.ts';
import type { TestServer } from './server.ts';
import { newId } from './unique.ts';

export const line = (over: Partial<LinePayload> = {}): LinePayload => ({
  line_id: newId(),
  stock_id: 1,
  name: 'Dental cleaning',
  quantity: 1,
  unit_price: 60,
  ...over,
});

function totalOf(items: readonly LinePayload[]): number {
  const minor = items.map((item) => extend(milliFromWire(item.quantity), minorFromWire(item.unit_price)));
  return minorToWire(minor.reduce((sum, one) => sum + one, 0));
}

/** Returns the aggregate of an operation; empty for a void, whose caller passes that of the voided operation. */
function aggregateOf(payload: PayloadOf[OperationKind]): string {
  if ('order_id' in payload) return orderAggregate(payload.order_id);
  if ('drawer_id' in payload) return drawerAggregate(payload.drawer_id);
  return 'stock_id' in payload ? `stock:${payload.stock_id}` : '';
}

export type Created = Operation<'order.create'> & { kind: 'order.create' };

/** The actor keys of all devices of a server, as `<user>@<device>`, so that one device can carry the operations of another. */
const keysOf = new WeakMap<TestServer, Map<string, ActorKey>>();

export class TestDevice {
  private seq = 0;
  private readonly counts: NumberCounters = { ...noNumbersUsed };

  private constructor(
    readonly server: TestServer,
    readonly token: string,
    readonly userId: number,
    readonly info: DeviceReply,
  ) {}

  /** Enrols a device as on a day of its own: a person may enrol only some a day, unless the server is only an address. */
  static async enrol(server: TestServer, role: Role = 'counter', clinicId?: number): Promise<TestDevice> {
    const token = await server.login(role, clinicId === undefined ? {} : { clinicId });
    const headers = { authorization: `Bearer ${token}` };
    const me = await server.app.inject({ url: '/api/auth/me', headers });
    const userId: number = me.json().data.id;
    if ('database' in server)
      await server.database.$client.query('update sessions set codes_granted = 0 where user_id = $1', [userId]);
    const enrolled = await server.app.inject({ method: 'POST', url: '/api/devices', headers, payload: {} });
    const info: DeviceReply = enrolled.json().data;
    const keys = keysOf.get(server) ?? new Map<string, ActorKey>();
    keysOf.set(server, keys.set(`${userId}@${info.device_id}`, actorKeyIn(info)));
    return new TestDevice(server, token, userId, info);
  }

  get headers(): { authorization: string } {
    return { authorization: `Bearer ${this.token}` };
  }

  number(of: Series): string {
    const count = (this.counts[of] ?? 0) + 1;
    this.counts[of] = count;
    return formatNumber(of, this.info.code, count);
  }

  operation<K extends OperationKind>(kind: K, payload: PayloadOf[K], over: Partial<Operation> = {}): AnyOperation {
    const aggregate = aggregateOf(payload);
    this.seq += 1;
    return {
      op_id: newId(),
      device_id: this.info.device_id,
      device_seq: this.seq,
      aggregate,
      depends_on: [],
      kind,
      v: operationVersion,
      payload,
      actor_id: this.userId,
      occurred_at: new Date().toISOString(),
      clock_offset_ms: 0,
      ...over,
    } as AnyOperation;
  }

  create(items: LinePayload[] = [line()], over: Partial<Operation> = {}): Created {
    const total = totalOf(items);
    return this.operation(
      'order.create',
      {
        order_id: newId(),
        number: this.number('treatment'),
        order_type: 'walk_in',
        items,
        currency: 'EUR',
        service_charge: 0,
        discount: 0,
        total,
      },
      over,
    ) as Created;
  }

  pay(
    created: AnyOperation,
    amount: number,
    over: Partial<PayloadOf['order.pay']> = {},
    envelope: Partial<Operation> = {},
  ): AnyOperation {
    const { order_id } = created.payload as PayloadOf['order.create'];
    const payload = {
      order_id,
      payment_id: newId(),
      payment_method: 'cash' as const,
      amount,
      tendered: amount,
      change: 0,
      ...over,
    };
    return this.operation('order.pay', payload, { depends_on: created.op_id ? [created.op_id] : [], ...envelope });
  }

  invoice(items: readonly LinePayload[]): InvoicePayload {
    const total = totalOf(items);
    return {
      invoice_id: newId(),
      invoice_number: this.number('invoice'),
      issued_at: new Date().toISOString(),
      currency: 'EUR',
      subtotal: total,
      discount_amount: 0,
      service_charge_amount: 0,
      service_charge_percentage: 0,
      total_amount: total,
      line_ids: items.map((item) => item.line_id),
      language: 'en',
      printed: [{ style: 'total', left: 'Total', right: `EUR ${total}` }],
    };
  }

  /** Signs operations that have no proof. One in another name than that of an enrolled device stays unsigned. */
  signed(operations: readonly AnyOperation[]): AnyOperation[] {
    return operations.map((operation) => {
      const key = keysOf.get(this.server)!.get(`${operation.actor_id}@${operation.device_id}`);
      return operation.proof === undefined && key ? signedBy(key, operation) : operation;
    });
  }

  async send(...operations: AnyOperation[]): Promise<OperationResult[]> {
    return (await this.exchange('', ...operations)).results;
  }

  /** Sends a batch. @param query from where the reply is to bring the feed */
  async exchange(query: string, ...operations: AnyOperation[]): Promise<BatchReply['data']> {
    const reply = await this.server.app.inject({
      method: 'POST',
      url: `/api/sync/batch${query}`,
      headers: this.headers,
      payload: { operations: this.signed(operations) },
    });
    if (reply.statusCode !== 200) throw new Error(`The batch failed with ${reply.statusCode}: ${reply.body}`);
    return reply.json<BatchReply>().data;
  }

  /** Pulls all pages of the feed from a cursor to the end, and returns them as one page. */
  async pull(cursor?: string, waiting?: number): Promise<ChangesPage> {
    let page = await this.pullPage(cursor, waiting);
    const all = page;
    while (page.more) {
      page = await this.pullPage(page.cursor, waiting);
      for (const table of ['orders', 'stock', 'products', 'categories', 'attention', 'drawers', 'patients'] as const)
        all.rows[table].push(...(page.rows[table] as never[]));
      all.receipts.push(...page.receipts);
      all.cursor = page.cursor;
    }
    return all;
  }

  /** @param waiting number of unsent operations to report; not reported if omitted */
  async pullPage(cursor?: string, waiting?: number): Promise<ChangesPage> {
    const asked = { ...(cursor && { cursor }), ...(waiting !== undefined && { waiting: String(waiting) }) };
    const url = `/api/sync/changes?${new URLSearchParams(asked).toString()}`;
    const reply = await this.server.app.inject({ url, headers: this.headers });
    if (reply.statusCode !== 200) throw new Error(`The pull failed with ${reply.statusCode}: ${reply.body}`);
    return reply.json().data;
  }
}
