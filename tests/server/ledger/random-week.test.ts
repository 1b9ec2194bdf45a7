/**
 * A random week of a clinic with three tablets, two of them offline for part of it: sales, adjustments, counts, deliveries,
 * thresholds, and people who resolve alerts. Afterwards the test audits ledger, lots and alerts by their rules. The seed in a
 * title replays its week.
 */
import { afterEach, expect, test } from 'vitest';
import type { AnyOperation } from '#domain/protocol/operations.ts';
import { productIngredients, products } from '#server/db/schema/catalogue.ts';
import { inTransaction } from '#server/db/transaction.ts';
import { sweepClinic } from '#server/modules/alerts/sweep.ts';
import { refreshAlerts } from '#server/modules/ledger/service.ts';
import { SeededRandom } from '#server/seed/random.ts';
import { line, TestDevice } from '#tests/support/device.ts';
import { inLongRun } from '#tests/support/long-run.ts';
import { startTestServer } from '#tests/support/server.ts';
import type { TestServer } from '#tests/support/server.ts';
import { insertStockItem, receive } from '#tests/support/stock.ts';
import { auditAlerts, auditLedger, auditLots, evidence } from './auditor.ts';
import type { Evidence } from './auditor.ts';

const hourMs = 3_600_000;
const began = Date.parse('2026-03-23T07:00:00Z');
const opening = [
  { name: 'Anaesthetic', quantity: 0, threshold: 12, tracksLots: true },
  { name: 'Implant', quantity: 6, threshold: 4, tracksLots: true },
  { name: 'Gloves', quantity: 30, threshold: 10, tracksLots: false },
] as const;

interface Tablet {
  device: TestDevice;
  waiting: AnyOperation[];
  /** The days of the week without a connection. */
  offline: readonly number[];
}

let server: TestServer | undefined;
afterEach(() => server?.close());

class Week {
  nowMs = began;
  private readonly tablets: Tablet[] = [];
  private productId = 0;
  private stockIds: number[] = [];
  private server!: TestServer;

  constructor(private readonly random: SeededRandom) {}

  async run(): Promise<TestServer> {
    this.server = await startTestServer({ now: () => this.nowMs });
    this.stockIds = [];
    for (const item of opening) this.stockIds.push(await insertStockItem(this.server, item));
    await inTransaction(this.server.database.$client, (sql) =>
      refreshAlerts(sql, this.server.clinicId, this.nowMs, this.stockIds),
    );
    const [product] = await this.server.database
      .insert(products)
      .values({ clinicId: this.server.clinicId, name: 'Implantation', searchKey: 'implantation', priceMinor: 90_000 })
      .returning();
    this.productId = product!.id;
    await this.server.database.insert(productIngredients).values(
      [
        [0, 1500],
        [1, 1000],
      ].map(([item, quantityMilli]) => ({
        clinicId: this.server.clinicId,
        productId: this.productId,
        stockId: this.stockIds[item!]!,
        quantityMilli: quantityMilli!,
      })),
    );
    for (let day = 0; day < 7; day++) await this.day(day);
    await this.send(this.tablets, 200);
    return this.server;
  }

  private async day(day: number): Promise<void> {
    this.nowMs = began + day * 24 * hourMs;
    await sweepClinic(this.server.database.$client, this.server.clinicId, this.nowMs);
    for (const [index, offline] of [[], [1, 2, 3], [3, 4]].entries()) {
      const device = await TestDevice.enrol(this.server, 'manager');
      const tablet = (this.tablets[index] ??= { device, waiting: [], offline });
      tablet.device = device;
    }
    for (let event = 0; event < 14; event++) {
      this.nowMs += this.random.between(60_000, hourMs / 2);
      await this.event(this.random.pick(this.tablets));
      if (this.random.next() < 0.4)
        await this.send(
          this.tablets.filter(({ offline }) => !offline.includes(day)),
          this.random.between(1, 9),
        );
    }
    // Audit before the next alert sweep could correct a mistake.
    await this.audit();
  }

  /** Audits the database and returns its content. */
  async audit(): Promise<Evidence> {
    const found = await evidence(this.server);
    expect(
      auditLedger(found, new Map(this.stockIds.map((id, index) => [id, opening[index]!.quantity * 1000]))),
    ).toEqual([]);
    expect(auditLots(found)).toEqual([]);
    expect(auditAlerts(found, this.nowMs)).toEqual([]);
    return found;
  }

  private async event({ device, waiting }: Tablet): Promise<void> {
    const { random, server: clinic } = this;
    const stockId = random.pick(this.stockIds);
    const now = { occurred_at: new Date(this.nowMs).toISOString() };
    const adjust = (action: 'add' | 'subtract' | 'set', amount: number) =>
      waiting.push(device.operation('stock.adjust', { stock_id: stockId, action, amount, notes: action }, now));
    switch (
      random.weighted([
        ['sale', 45],
        ['add', 8],
        ['subtract', 8],
        ['count', 12],
        ['receipt', 14],
        ['threshold', 4],
        ['settle', 9],
      ])
    ) {
      case 'sale': {
        const items = Array.from({ length: random.between(1, 3) }, () => {
          const { stock_id: _, ...any } = line({ quantity: random.between(1, 4), unit_price: 5 });
          return random.next() < 0.3
            ? { ...any, product_id: this.productId }
            : { ...any, stock_id: random.pick(this.stockIds) };
        });
        const created = device.create(items, now);
        waiting.push(created, device.pay(created, created.payload.total, {}, { ...now, depends_on: [created.op_id] }));
        return;
      }
      case 'add':
        adjust('add', random.between(1, 6));
        return;
      case 'subtract':
        adjust('subtract', random.between(1, 6) / 2);
        return;
      case 'count':
        adjust('set', random.between(0, 25));
        return;
      case 'receipt': {
        const inDays = random.between(-2, 60);
        const expiresOn =
          random.next() < 0.2 ? null : new Date(this.nowMs + inDays * 24 * hourMs).toISOString().slice(0, 10);
        await receive(clinic, stockId, {
          quantity: random.between(2, 15),
          lot: `L${random.between(1, 5)}`,
          expiresOn,
          atMs: this.nowMs,
        });
        return;
      }
      case 'threshold':
        await inTransaction(clinic.database.$client, async (sql) => {
          await sql.query('update stock_items set low_stock_threshold_milli = $3 where clinic_id = $1 and id = $2', [
            clinic.clinicId,
            stockId,
            random.between(0, 15) * 1000,
          ]);
          await refreshAlerts(sql, clinic.clinicId, this.nowMs, [stockId]);
        });
        return;
      case 'settle': {
        const { data } = (
          await clinic.app.inject({ url: '/api/stock/inventory/alerts?status=open', headers: device.headers })
        ).json<{ data: { id: number }[] }>();
        const step = random.pick(['acknowledge', 'resolve']);
        if (data.length > 0)
          await clinic.app.inject({
            method: 'PUT',
            url: `/api/stock/inventory/alerts/${random.pick(data).id}/${step}`,
            headers: device.headers,
          });
      }
    }
  }

  /** Each tablet sends its waiting operations, a few at a time, and sometimes sends some of them twice. */
  private async send(tablets: readonly Tablet[], size: number): Promise<void> {
    for (const { device, waiting } of tablets) {
      while (waiting.length > 0) {
        const batch = waiting.splice(0, size);
        const results = await device.send(...batch);
        expect(results.map(({ status }) => status)).toEqual(batch.map(() => 'applied'));
        if (this.random.next() < 0.2) await device.send(...batch);
      }
    }
  }
}

const seeds = Array.from({ length: inLongRun(20, { otherwise: 3 }) }, (_, index) => index + 1);

test.each(seeds)(
  'SYNC-10 seed %i: a week of three tablets adds up in ledger, lots and alerts',
  async (seed) => {
    const week = new Week(new SeededRandom(seed));
    server = await week.run();
    const { rows, moves, alerts } = await week.audit();
    // The week could have broken these rules.
    expect(rows.filter((row) => !row.isCount && row.effectMilli === 0).length, 'late movements').toBeGreaterThan(0);
    expect(rows.filter((row) => row.isCount).length, 'counts').toBeGreaterThan(2);
    expect(moves.filter(({ orderId }) => orderId !== null).length, 'draws for treatments').toBeGreaterThan(5);
    expect(new Set(alerts.map(({ type }) => type)).size, 'kinds of alerts').toBe(3);
    expect(alerts.filter(({ ended }) => ended).length, 'ended alerts').toBeGreaterThan(3);
  },
  60_000,
);
