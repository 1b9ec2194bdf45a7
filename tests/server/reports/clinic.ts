/** A clinic in Madrid whose clock the test sets, and the facts that its tablets send. */
import { expect } from 'vitest';
import type { OrderType, PaymentMethod } from '#domain/order/vocabulary.ts';
import { minorFromWire, minorToWire } from '#domain/money.ts';
import type { AnyOperation } from '#domain/protocol/operations.ts';
import { linePrices } from '#domain/order/line-prices.ts';
import { isOrderOperation, reduceOrder } from '#domain/order/operations.ts';
import type { LinePayload, OrderOperation } from '#domain/order/operations.ts';
import type { Order } from '#domain/order/order.ts';
import { occurredAtMs } from '#domain/protocol/operations.ts';
import { line, TestDevice } from '#tests/support/device.ts';
import { newId } from '#tests/support/unique.ts';
import { startTestServer } from '#tests/support/server.ts';
import type { TestServer } from '#tests/support/server.ts';

/** An operation that a tablet records. */
export type Deed =
  | {
      do: 'create';
      order: string;
      type: OrderType;
      items: LinePayload[];
      discount: number;
      charge: number;
      customer?: string;
      currency?: string;
    }
  | { do: 'add'; order: string; items: LinePayload[] }
  | { do: 'pay'; order: string; amount: number; by: PaymentMethod }
  | {
      do: 'refund';
      order: string;
      amount: number;
      by: PaymentMethod;
      /** The whole amount by default. */
      reduction?: number;
      lines?: { line_id: string; amount: number }[];
      stillOwed?: boolean;
    }
  | { do: 'cancel'; order: string }
  | { do: 'open' | 'close'; drawer: string };

/** A deed, its time and the time of its arrival at the server, in milliseconds since 1970. */
export type Told = Deed & { atMs: number; arrivesMs: number };

export class ReportClinic {
  private readonly orders = new Map<string, Order>();

  private constructor(
    readonly server: TestServer,
    private readonly clock: { nowMs: number },
  ) {}

  static async open(nowMs: number): Promise<ReportClinic> {
    const clock = { nowMs };
    return new ReportClinic(await startTestServer({ now: () => clock.nowMs }), clock);
  }

  set nowMs(ms: number) {
    this.clock.nowMs = ms;
  }

  /** Sends deeds from a tablet that went on line when the last of them arrived. */
  async tell(deeds: readonly Told[]): Promise<void> {
    if (deeds.length === 0) return;
    this.nowMs = Math.max(...deeds.map(({ arrivesMs }) => arrivesMs));
    const device = await TestDevice.enrol(this.server, 'manager');
    for (let next = 0; next < deeds.length; next += 100) {
      const operations = deeds.slice(next, next + 100).map((deed) => operationOf(device, deed));
      for (const operation of operations) if (isOrderOperation(operation)) this.record(operation);
      const results = await device.send(...operations);
      for (const { status, reply } of results) expect([status, reply]).toEqual(['applied', expect.anything()]);
    }
  }

  private record(operation: OrderOperation): void {
    const { order_id: id } = operation.payload;
    const order = reduceOrder(this.orders.get(id) ?? null, operation, occurredAtMs(operation));
    if (order) this.orders.set(id, order);
  }

  /** Returns what each line of a treatment earns, by its id, as a tablet that has done all this works it out. */
  earnedBy(orderId: string): Map<string, number> {
    return new Map(
      linePrices(this.orders.get(orderId)!).map(({ line: { lineId }, earnedMinor }) => [lineId, earnedMinor]),
    );
  }

  async ask<T>(url: string, nowMs: number): Promise<T> {
    this.nowMs = nowMs;
    const headers = { authorization: `Bearer ${await this.server.login('manager')}` };
    const reply = await this.server.app.inject({ url: `/api${url}`, headers });
    expect([url, reply.statusCode]).toEqual([url, 200]);
    return reply.json<{ data: T }>().data;
  }

  async expense(
    { amount, day, becomes }: { amount: number; day: string; becomes: 'pending' | 'approved' | 'rejected' },
    nowMs: number,
  ): Promise<void> {
    this.nowMs = nowMs;
    const headers = { authorization: `Bearer ${await this.server.login('manager')}` };
    const post = (url: string, payload: object) =>
      this.server.app.inject({ method: 'POST', url: `/api/expenses${url}`, headers, payload });
    const made = await post('', {
      title: 'Supplies',
      description: 'For the clinic',
      amount,
      category: 'supplies',
      expense_date: day,
    });
    expect(made.statusCode).toBe(201);
    const { id } = made.json<{ data: { id: number } }>().data;
    if (becomes === 'approved') await post(`/${id}/approve`, {});
    if (becomes === 'rejected') await post(`/${id}/reject`, { rejection_reason: 'Not ours' });
  }

  /** Changes the clinic's currency. */
  useCurrency = (currency: string): Promise<void> => this.change({ currency });

  /** Changes settings. */
  async change(settings: object): Promise<void> {
    await this.server.database.$client.query(`update settings set data = data || $2::jsonb where clinic_id = $1`, [
      this.server.clinicId,
      JSON.stringify(settings),
    ]);
  }

  close(): Promise<void> {
    return this.server.close();
  }
}

const nothing: Record<PaymentMethod, number> = { cash: 0, card: 0, insurance: 0, others: 0 };

function operationOf(device: TestDevice, deed: Told): AnyOperation {
  const at = { occurred_at: new Date(deed.atMs).toISOString() };
  switch (deed.do) {
    case 'create': {
      const { order, type, items, discount, charge, customer, currency = 'EUR' } = deed;
      const subtotal = items.reduce((sum, item) => sum + minorFromWire(item.unit_price) * item.quantity, 0);
      const total = minorToWire(subtotal - minorFromWire(discount) + minorFromWire(charge));
      return device.operation(
        'order.create',
        {
          order_id: order,
          number: device.number('treatment'),
          order_type: type,
          items,
          currency,
          service_charge: charge,
          discount,
          total,
          ...(customer && { customer_name: customer }),
        },
        at,
      );
    }
    case 'add':
      return device.operation('order.add_services', { order_id: deed.order, items: deed.items }, at);
    case 'pay':
      return device.operation(
        'order.pay',
        {
          order_id: deed.order,
          payment_id: newId(),
          payment_method: deed.by,
          amount: deed.amount,
          tendered: deed.amount,
          change: 0,
        },
        at,
      );
    case 'refund': {
      const credit_note_number = device.number('credit_note');
      return device.operation(
        'order.refund',
        {
          order_id: deed.order,
          refund_id: newId(),
          payment_method: deed.by,
          amount: deed.amount,
          reason: 'agreed',
          reduction: deed.stillOwed ? 0 : (deed.reduction ?? deed.amount),
          ...(deed.stillOwed && { still_owed: true }),
          ...(deed.lines && { lines: deed.lines }),
          credit_note_number,
        },
        at,
      );
    }
    case 'cancel':
      return device.operation('order.cancel', { order_id: deed.order, status: 'cancelled' }, at);
    case 'open':
      return device.operation('drawer.open', { drawer_id: deed.drawer, currency: 'EUR', float: 100 }, at);
    case 'close':
      return device.operation('drawer.close', { drawer_id: deed.drawer, counted: nothing }, at);
  }
}

export const lineOf = (stock_id: number, name: string, unit_price: number, quantity: number): LinePayload =>
  line({ stock_id, name, unit_price, quantity });
