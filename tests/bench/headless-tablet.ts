/**
 * A tablet without a browser, signed in and enrolled over HTTP. It makes the same operations and printed documents as
 * the app, by the same rules. It has no outbox: the caller decides which operations to send.
 */
import { randomBytes } from 'node:crypto';
import { chainAggregate } from '#domain/fiscal/operations.ts';
import { documentOfInvoice, recordOfDocument } from '#domain/fiscal/documents.ts';
import { headOf } from '#domain/fiscal/record.ts';
import type { ChainHead } from '#domain/fiscal/record.ts';
import { decidePayment } from '#domain/order/decisions.ts';
import { issueInvoice } from '#domain/order/issue-documents.ts';
import { reduceOrder, orderAggregate } from '#domain/order/operations.ts';
import type { OrderOperation } from '#domain/order/operations.ts';
import { stockAggregate } from '#domain/stock/operations.ts';
import { formatNumber, noNumbersUsed } from '#domain/order/numbers.ts';
import type { Series } from '#domain/order/numbers.ts';
import { totals } from '#domain/order/totals.ts';
import type { InvoicePayload, Order, Payment } from '#domain/order/order.ts';
import type { DocumentContext } from '#domain/order/document-writer.ts';
import { minorToWire } from '#domain/money.ts';
import { operationVersion } from '#domain/protocol/operations.ts';
import type { AnyOperation, OperationKind, PayloadOf } from '#domain/protocol/operations.ts';
import type { BatchReply, ChangesPage, DeviceReply, OperationResult } from '#domain/protocol/sync.ts';
import { defaultSettings } from '#domain/settings/settings.ts';
import type { StockResource } from '#domain/stock/resources.ts';
import { uuidV7 } from '#domain/uuid.ts';
import type { ActorKey } from '#src/db/proof.ts';
import { sha256Text } from '#src/db/sha256.ts';
import { actorKeyIn, signedBy } from '../support/proofs.ts';
import en from '#locales/en.json' with { type: 'json' };

const issuing: DocumentContext = {
  settings: { ...defaultSettings, practice_name: 'Clínica Luz', address: 'Calle Mayor 1, 28013 Madrid' },
  language: 'en',
  labels: { ...en.print.labels, methods: en.counter.methods },
  cashierName: 'Carmen Counter',
};

/** The operations of a sale: the treatment, its payment with the invoice, and the invoice's fiscal record. */
export const operationsOfSale = 3;

export class HeadlessTablet {
  /** The device's clock. */
  now: () => number = Date.now;
  /** Services to sell; filled by the first pull. */
  private services: StockResource[] = [];
  private supplies: StockResource[] = [];
  private seq = 0;
  private chain: ChainHead | null = null;
  private readonly key: ActorKey;
  private readonly counters = { ...noNumbersUsed };

  private constructor(
    private readonly url: string,
    private readonly token: string,
    private readonly userId: number,
    private readonly device: DeviceReply,
  ) {
    this.key = actorKeyIn(device);
  }

  static async enrol(url: string, role: 'counter' | 'manager' = 'counter'): Promise<HeadlessTablet> {
    const signIn = await post<{ data: { accessToken: string } }>(`${url}/api/users/login`, {
      email: `${role}@demo.test`,
      password: `demo-${role}`,
    });
    const token = signIn.data.accessToken;
    const { data } = await post<{ data: DeviceReply }>(`${url}/api/devices`, {}, token);
    const me = await fetch(`${url}/api/auth/me`, { headers: { authorization: `Bearer ${token}` } });
    const { data: user } = (await me.json()) as { data: { id: number } };
    return new HeadlessTablet(url, token, user.id, data);
  }

  get deviceId(): number {
    return this.device.device_id;
  }

  get headers(): Record<string, string> {
    return { authorization: `Bearer ${this.token}` };
  }

  /** Pulls one page of the feed. */
  async pull(cursor: string | null): Promise<ChangesPage> {
    const reply = await fetch(
      `${this.url}/api/sync/changes?waiting=0${cursor === null ? '' : `&cursor=${encodeURIComponent(cursor)}`}`,
      { headers: this.headers },
    );
    if (!reply.ok) throw new Error(`A pull failed with ${reply.status}.`);
    const { data } = (await reply.json()) as { data: ChangesPage };
    if (cursor === null) {
      this.services = data.rows.stock.filter(({ is_available }) => is_available);
      this.supplies = data.rows.stock.filter(({ is_stocked }) => is_stocked);
    }
    return data;
  }

  /** Creates a treatment with one to three services. */
  create(choice: number): { operation: AnyOperation; order: Order } {
    const items = Array.from({ length: 1 + (choice % 3) }, (_, line) => {
      const { id, name, cost_per_unit: unit_price } = this.services[(choice * 7 + line * 3) % this.services.length]!;
      return { line_id: this.newId(), stock_id: id, name, quantity: 1 + ((choice + line) % 2), unit_price };
    });
    const subtotalMinor = items.reduce(
      (sum, { quantity, unit_price }) => sum + quantity * Math.round(unit_price * 100),
      0,
    );
    const order_id = this.newId();
    const operation = this.operation('order.create', orderAggregate(order_id), {
      order_id,
      number: this.number('treatment'),
      order_type: 'walk_in',
      customer_name: `Patient ${choice}`,
      items,
      currency: 'EUR',
      service_charge: 0,
      discount: 0,
      total: minorToWire(subtotalMinor),
    });
    return { operation, order: reduceOrder(null, operation as OrderOperation, Date.parse(operation.occurred_at))! };
  }

  /** Pays the whole balance in cash. @returns the payment with its invoice, and the invoice's fiscal record */
  pay(order: Order, dependsOn: AnyOperation): AnyOperation[] {
    const { balanceMinor } = totals(order);
    const agreed = decidePayment(order, { method: 'cash', tenderedMinor: balanceMinor });
    if (!agreed.ok) throw new Error(agreed.refusal.code);
    const payment: Payment = {
      paymentId: this.newId(),
      opId: '',
      method: 'cash',
      amountMinor: balanceMinor,
      tenderedMinor: balanceMinor,
      changeMinor: 0,
      reference: '',
      creditNoteNumber: null,
      creditNote: null,
      reason: '',
      refundedLines: [],
      allowances: [],
      reductionMinor: 0,
      isStillOwed: false,
      actorId: 0,
      deviceId: 0,
      atMs: this.now(),
    };
    const invoice: InvoicePayload = issueInvoice(issuing, {
      invoiceId: this.newId(),
      number: this.number('invoice'),
      issuedAtMs: this.now(),
      order,
      lines: order.lines,
      payment,
    });
    const amount = minorToWire(balanceMinor);
    const payload = {
      order_id: order.id,
      payment_id: payment.paymentId,
      payment_method: 'cash' as const,
      amount,
      tendered: amount,
      change: 0,
      invoice,
    };
    const paid = this.operation('order.pay', orderAggregate(order.id), payload, [dependsOn.op_id]);
    return [paid, this.record(paid.op_id, invoice)];
  }

  private record(opId: string, invoice: InvoicePayload): AnyOperation {
    const { code } = this.device;
    const place = { chain: code, previous: this.chain, settings: issuing.settings, sha256: sha256Text };
    const record = recordOfDocument(documentOfInvoice(opId, invoice), place);
    this.chain = headOf(record);
    return this.operation('fiscal.record', chainAggregate(code), record);
  }

  /** Returns the operations of one sale. */
  sale(choice: number): AnyOperation[] {
    const { operation, order } = this.create(choice);
    return [operation, ...this.pay(order, operation)];
  }

  addService(order: Order, choice: number, dependsOn: AnyOperation): { operation: AnyOperation; order: Order } {
    const { id, name, cost_per_unit: unit_price } = this.services[choice % this.services.length]!;
    const items = [{ line_id: this.newId(), stock_id: id, name, quantity: 1, unit_price }];
    const operation = this.operation('order.add_services', orderAggregate(order.id), { order_id: order.id, items }, [
      dependsOn.op_id,
    ]);
    return { operation, order: reduceOrder(order, operation as OrderOperation, Date.parse(operation.occurred_at))! };
  }

  cancel(order: Order, dependsOn: AnyOperation): AnyOperation {
    return this.operation('order.cancel', orderAggregate(order.id), { order_id: order.id, status: 'cancelled' }, [
      dependsOn.op_id,
    ]);
  }

  /** Records a delivery. Something that is not stocked would leave no entry in the ledger. */
  adjustStock(choice: number): AnyOperation {
    const { id } = this.supplies[choice % this.supplies.length]!;
    return this.operation('stock.adjust', stockAggregate(id), {
      stock_id: id,
      action: 'add',
      amount: 5,
      notes: 'delivery',
    });
  }

  async send(operations: readonly AnyOperation[]): Promise<OperationResult[]> {
    const { data } = await post<BatchReply>(`${this.url}/api/sync/batch`, { operations }, this.token);
    return data.results;
  }

  /** Calls back for each poke until the signal aborts or the server ends the stream. */
  async follow(onPoke: () => void, signal: AbortSignal): Promise<void> {
    const reply = await fetch(`${this.url}/api/sync/events`, { headers: this.headers, signal });
    if (!reply.ok || !reply.body) throw new Error(`The event stream failed with ${reply.status}.`);
    for await (const chunk of reply.body.pipeThrough(new TextDecoderStream()))
      if (chunk.includes('event: change')) onPoke();
  }

  private operation<K extends OperationKind>(
    kind: K,
    aggregate: string,
    payload: PayloadOf[K],
    depends_on: string[] = [],
  ): AnyOperation {
    this.seq += 1;
    return signedBy(this.key, {
      op_id: this.newId(),
      device_id: this.deviceId,
      device_seq: this.seq,
      aggregate,
      depends_on,
      kind,
      v: operationVersion,
      payload,
      actor_id: this.userId,
      occurred_at: new Date(this.now()).toISOString(),
      clock_offset_ms: 0,
    } as unknown as AnyOperation);
  }

  private newId(): string {
    return uuidV7(this.now(), randomBytes(10));
  }

  private number(of: Series): string {
    const count = (this.counters[of] ?? 0) + 1;
    this.counters[of] = count;
    return formatNumber(of, this.device.code, count);
  }
}

async function post<T>(url: string, body: unknown, token?: string): Promise<T> {
  const headers = { 'content-type': 'application/json', ...(token && { authorization: `Bearer ${token}` }) };
  const reply = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) });
  if (!reply.ok) throw new Error(`${url} failed with ${reply.status}: ${(await reply.text()).slice(0, 200)}`);
  return (await reply.json()) as T;
}
