/** A tablet as the servers see it: sells, keeps what it sold until that is acknowledged, and pulls what the others did. */
import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import type { AnyOperation } from '../../domain/protocol/operations.ts';
import type { BatchReply, ChangesPage } from '../../domain/protocol/sync.ts';
import { line, TestDevice } from '../support/device.ts';
import type { TestServer } from '../support/server.ts';

/** As long as the app waits for a reply, and half as long again. */
const patienceMs = 30_000;

interface Asked {
  method?: string;
  url: string;
  headers?: Record<string, string>;
  payload?: unknown;
}

interface Answer {
  statusCode: number;
  body: string;
  json(): unknown;
}

export async function ask(base: string, { method = 'GET', url, headers = {}, payload }: Asked): Promise<Answer> {
  const json =
    payload === undefined
      ? {}
      : { headers: { ...headers, 'content-type': 'application/json' }, body: JSON.stringify(payload) };
  const reply = await fetch(`${base}${url}`, { method, headers, ...json, signal: AbortSignal.timeout(patienceMs) });
  const body = await reply.text();
  return { statusCode: reply.status, body, json: () => JSON.parse(body) };
}

/** What a device needs of a server to enrol, over the wire. */
function overTheWire(base: string): TestServer {
  const inject = (asked: Asked) => ask(base, asked);
  const login = async (role: string) => {
    const credentials = { email: `${role}@demo.test`, password: `demo-${role}` };
    const reply = await inject({ method: 'POST', url: '/api/users/login', payload: credentials });
    return (reply.json() as { data: { accessToken: string } }).data.accessToken;
  };
  return { app: { inject }, login } as unknown as TestServer;
}

export class Tablet {
  /** What the server has said that it keeps, in that order. */
  readonly acknowledged: AnyOperation[] = [];
  /** Treatments by id, as the feed told them last, and the receipts that came with them. */
  readonly orders = new Map<string, number>();
  readonly receipts = new Set<string>();
  /** Replies that were none, by status and code. */
  readonly refused = new Map<string, number>();
  private outbox: AnyOperation[] = [];
  private cursor: string | undefined;
  private turn = 0;

  private constructor(
    private readonly device: TestDevice,
    private readonly servers: readonly string[],
  ) {}

  static async enrol(servers: readonly string[]): Promise<Tablet> {
    return new Tablet(await TestDevice.enrol(overTheWire(servers[0]!)), servers);
  }

  get headers(): Record<string, string> {
    return this.device.headers;
  }

  get deviceId(): number {
    return this.device.info.device_id;
  }

  /** Sells a treatment that is paid at once, and tries to send everything that waits. */
  async sell(): Promise<void> {
    const created = this.device.create([line()]);
    this.outbox.push(created, this.device.pay(created, 60, { invoice: this.device.invoice(created.payload.items) }));
    await this.send();
  }

  /** Until nothing waits, or the time is over. */
  async drain(untilMs: number): Promise<void> {
    while (this.outbox.length > 0) {
      assert.ok(
        Date.now() < untilMs,
        `${this.outbox.length} operations cannot be sent: ${JSON.stringify([...this.refused])}`,
      );
      await this.send();
      await sleep(50);
    }
  }

  private async send(): Promise<void> {
    const operations = this.outbox.slice(0, 100);
    const reply = await this.call<BatchReply>({ method: 'POST', url: '/api/sync/batch', payload: { operations } });
    if (!reply) return;
    const applied = new Set(reply.data.results.filter(({ status }) => status === 'applied').map(({ op_id }) => op_id));
    assert.ok(
      reply.data.results.every(({ status }) => status !== 'refused'),
      `refused: ${JSON.stringify(reply.data.results)}`,
    );
    this.acknowledged.push(...operations.filter(({ op_id }) => applied.has(op_id)));
    this.outbox = this.outbox.filter(({ op_id }) => !applied.has(op_id));
  }

  /** Hears of everything that is there now. */
  async catchUp(untilMs: number): Promise<void> {
    while (!(await this.pull())) assert.ok(Date.now() < untilMs, 'the feed does not come to its end');
  }

  /** @returns whether that was all for now */
  async pull(): Promise<boolean> {
    const page = await this.call<{ data: ChangesPage }>({
      url: `/api/sync/changes?${new URLSearchParams(this.cursor ? { cursor: this.cursor } : {}).toString()}`,
    });
    if (!page) return false;
    for (const { id, paid } of page.data.rows.orders) this.orders.set(id, paid);
    for (const { op_id } of page.data.receipts) this.receipts.add(op_id);
    this.cursor = page.data.cursor;
    return !page.data.more;
  }

  /** Null when there was no answer to use. An answer that is neither 200 nor our 503 is a fault of the product. */
  private async call<T>(asked: Asked): Promise<T | null> {
    this.turn += 1;
    const base = this.servers[this.turn % this.servers.length]!;
    const reply = await ask(base, { ...asked, headers: this.headers }).catch((error: Error) => error.name);
    if (typeof reply === 'string') {
      this.note(reply);
      return null;
    }
    if (reply.statusCode === 200) return reply.json() as T;
    if (reply.statusCode === 410) {
      // In its last instant a primary may show what its standby never had; whoever saw that is sent back to the beginning.
      this.note('410');
      this.cursor = undefined;
      return null;
    }
    const { success, code } = reply.json() as { success: boolean; code: string };
    assert.deepEqual([reply.statusCode, success], [503, false], reply.body);
    this.note(`503 ${code}`);
    await sleep(100);
    return null;
  }

  private note(what: string): void {
    this.refused.set(what, (this.refused.get(what) ?? 0) + 1);
  }
}
