/** A tablet without a browser: sells over HTTP, keeps each sale until a server acknowledges it, and pulls the feed. */
import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { minorToWire } from '#domain/money.ts';
import { totals } from '#domain/order/totals.ts';
import type { AnyOperation } from '#domain/protocol/operations.ts';
import type { BatchReply, ChangesPage } from '#domain/protocol/sync.ts';
import { line, TestDevice } from '../support/device.ts';
import type { TestServer } from '../support/server.ts';

/** 1.5 times the app's own timeout. */
const patientMs = 30_000;

interface HttpRequest {
  method?: string;
  url: string;
  headers?: Record<string, string>;
  payload?: unknown;
}

interface HttpReply {
  statusCode: number;
  body: string;
  json(): unknown;
}

export async function request(
  base: string,
  { method = 'GET', url, headers = {}, payload }: HttpRequest,
  timeoutMs = patientMs,
): Promise<HttpReply> {
  const json =
    payload === undefined
      ? {}
      : { headers: { ...headers, 'content-type': 'application/json' }, body: JSON.stringify(payload) };
  const reply = await fetch(`${base}${url}`, { method, headers, ...json, signal: AbortSignal.timeout(timeoutMs) });
  const body = await reply.text();
  return { statusCode: reply.status, body, json: () => JSON.parse(body) };
}

/** Adapts a server's address to the part of a `TestServer` that `TestDevice.enrol` uses. */
export function overHttp(base: string): TestServer {
  const inject = (call: HttpRequest) => request(base, call);
  const login = async (role: string) => {
    const credentials = { email: `${role}@demo.test`, password: `demo-${role}` };
    const reply = await inject({ method: 'POST', url: '/api/users/login', payload: credentials });
    return (reply.json() as { data: { accessToken: string } }).data.accessToken;
  };
  return { app: { inject }, login } as unknown as TestServer;
}

export class HttpTablet {
  /** Operations that a server acknowledged, in the order of acknowledgement. */
  readonly acknowledged: AnyOperation[] = [];
  /** The paid amount of each treatment by id, as last received in the feed, and the receipts received with them. */
  readonly orders = new Map<string, number>();
  readonly receipts = new Set<string>();
  /** The times of the acknowledgements. */
  readonly acknowledgedAtMs: number[] = [];
  /** Number of failed calls by status and code. */
  readonly failures = new Map<string, number>();
  private outbox: AnyOperation[] = [];
  private cursor: string | undefined;
  private calls = 0;

  private constructor(
    private readonly device: TestDevice,
    private readonly servers: readonly string[],
    private readonly timeoutMs: number,
  ) {}

  static async enrol(servers: readonly string[], timeoutMs = patientMs): Promise<HttpTablet> {
    return new HttpTablet(await TestDevice.enrol(overHttp(servers[0]!)), servers, timeoutMs);
  }

  get headers(): Record<string, string> {
    return this.device.headers;
  }

  get deviceId(): number {
    return this.device.info.device_id;
  }

  /** Creates a treatment with its payment, and tries once to send everything in the outbox. */
  async sell(): Promise<void> {
    const created = this.device.create([line()]);
    this.outbox.push(created, this.device.pay(created, 60, { invoice: this.device.invoice(created.payload.items) }));
    await this.send();
  }

  /** Sells if the last sale was acknowledged, and otherwise sends it again. */
  async probe(): Promise<void> {
    if (this.outbox.length > 0) await this.send();
    else await this.sell();
  }

  /** Puts acknowledged operations back into the outbox, as a tablet does after a failover. */
  sendAgain(ids: readonly string[]): void {
    const again = new Set(ids);
    const chosen = this.acknowledged.filter(({ op_id }) => again.has(op_id));
    const kept = this.acknowledged.filter(({ op_id }) => !again.has(op_id));
    this.acknowledged.splice(0, Infinity, ...kept);
    this.outbox.unshift(...chosen);
  }

  /** Sends until the outbox is empty. @throws when the time is over */
  async drain(untilMs: number): Promise<void> {
    while (this.outbox.length > 0) {
      assert.ok(
        Date.now() < untilMs,
        `${this.outbox.length} operations are still unsent; failed calls: ${JSON.stringify([...this.failures])}`,
      );
      await this.send();
      await sleep(50);
    }
  }

  private async send(): Promise<void> {
    const operations = this.outbox.slice(0, 100);
    const reply = await this.call<BatchReply>({
      method: 'POST',
      url: '/api/sync/batch',
      payload: { operations: this.device.signed(operations) },
    });
    if (!reply) return;
    const applied = new Set(reply.data.results.filter(({ status }) => status === 'applied').map(({ op_id }) => op_id));
    assert.ok(
      reply.data.results.every(({ status }) => status !== 'refused'),
      `A server refused operations: ${JSON.stringify(reply.data.results)}`,
    );
    this.acknowledged.push(...operations.filter(({ op_id }) => applied.has(op_id)));
    if (applied.size > 0) this.acknowledgedAtMs.push(Date.now());
    this.outbox = this.outbox.filter(({ op_id }) => !applied.has(op_id));
  }

  /** Pulls until the feed has no more pages. @throws when the time is over */
  async catchUp(untilMs: number): Promise<void> {
    while (!(await this.pull())) assert.ok(Date.now() < untilMs, 'The feed still has more pages');
  }

  /** Pulls one page. @returns true when the feed has no more pages */
  async pull(): Promise<boolean> {
    const page = await this.call<{ data: ChangesPage }>({
      url: `/api/sync/changes?${new URLSearchParams(this.cursor ? { cursor: this.cursor } : {}).toString()}`,
    });
    if (!page) return false;
    for (const order of page.data.rows.orders) this.orders.set(order.id, minorToWire(totals(order).paidMinor));
    for (const { op_id } of page.data.receipts) this.receipts.add(op_id);
    this.cursor = page.data.cursor;
    return !page.data.more;
  }

  /** Calls the next server in turn. @returns null when the call failed @throws on a reply that is neither 200, 410 nor the API's 503 */
  private async call<T>(call: HttpRequest): Promise<T | null> {
    this.calls += 1;
    const base = this.servers[this.calls % this.servers.length]!;
    const reply = await request(base, { ...call, headers: this.headers }, this.timeoutMs).catch(
      (error: Error) => error.name,
    );
    if (typeof reply === 'string') {
      this.countFailure(reply);
      return null;
    }
    if (reply.statusCode === 200) return reply.json() as T;
    if (reply.statusCode === 410) {
      // A dying primary may deliver rows that its standby never received. The new primary sends such a reader back to the start.
      this.countFailure('410');
      this.cursor = undefined;
      return null;
    }
    const { success, code } = reply.json() as { success: boolean; code: string };
    assert.deepEqual([reply.statusCode, success], [503, false], reply.body);
    this.countFailure(`503 ${code}`);
    await sleep(100);
    return null;
  }

  private countFailure(reason: string): void {
    this.failures.set(reason, (this.failures.get(reason) ?? 0) + 1);
  }
}
