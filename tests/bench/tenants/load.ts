/**
 * The process of the clinic that loads the server: separate, so that its work is not measured as the server's. It obeys
 * the messages `start` and `stop`, and answers each when it has done so.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { actorKeyIn, signedBy } from '#tests/support/proofs.ts';
import { newId } from '#tests/support/unique.ts';
import type { DeviceReply } from '#domain/protocol/sync.ts';

export interface LoadPlan {
  url: string;
  /** The tokens of the sessions that hold event streams. */
  tokens: string[];
  /** Somebody who may do nothing, and whose operations are refused. */
  kitchen: { token: string; userId: number; info: DeviceReply };
  /** Somebody who imports tables. */
  manager: { token: string };
  refusalsPerMinute: number;
  streamsPerSession: number;
  importedRows: number;
  /** How many people read lists and reports, one after the other. */
  readers: number;
}

export interface Done {
  streams: number;
  refusals: number;
  imports: number;
  reads: number;
  errors: number;
}

const refusalsPerBatch = 10;

const plan = JSON.parse(process.argv[2]!) as LoadPlan;
let stop = new AbortController();
let done: Done = { streams: 0, refusals: 0, imports: 0, reads: 0, errors: 0 };
let working: Promise<unknown> = Promise.resolve();

const post = (token: string, path: string, body: object): Promise<Response> =>
  fetch(`${plan.url}/api${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });

/** Tries to open a stream, and reads it until the end of the round. */
async function stream(token: string, opened: () => void): Promise<void> {
  try {
    const headers = { authorization: `Bearer ${token}` };
    const reply = await fetch(`${plan.url}/api/sync/events`, { headers, signal: stop.signal });
    if (reply.ok) done.streams += 1;
    opened();
    for await (const _chunk of reply.body!);
  } catch {
    opened();
  }
}

async function beRefused(): Promise<void> {
  const { token, userId, info } = plan.kitchen;
  const key = actorKeyIn(info);
  const pauseMs = (60_000 * refusalsPerBatch) / plan.refusalsPerMinute;
  let seq = Date.now() % 1_000_000;
  let due = Date.now();
  while (!stop.signal.aborted) {
    const operations = Array.from({ length: refusalsPerBatch }, () => {
      seq += 1;
      return signedBy(key, {
        op_id: newId(),
        device_id: info.device_id,
        device_seq: seq,
        aggregate: 'stock:1',
        depends_on: [],
        kind: 'stock.adjust',
        v: 1,
        payload: { stock_id: 1, action: 'add', amount: 1 },
        actor_id: userId,
        occurred_at: new Date().toISOString(),
        clock_offset_ms: 0,
      });
    });
    // The pace does not wait for the replies.
    void post(token, '/sync/batch', { operations }).then(
      async (reply) => {
        await reply.arrayBuffer();
        if (reply.ok) done.refusals += refusalsPerBatch;
        else done.errors += 1;
      },
      () => (done.errors += 1),
    );
    due += pauseMs;
    await sleep(Math.max(0, due - Date.now()));
  }
}

async function importTables(): Promise<void> {
  for (let table = 0; !stop.signal.aborted; table++) {
    const rows = Array.from(
      { length: plan.importedRows },
      (_, row) => `Item ${table} ${row},boxes,Supplier ${row % 40},600 111 222,${row % 200},5,1.${10 + (row % 90)}`,
    );
    const head = 'name,unit,supplier,supplier_contact,quantity,low_stock_threshold,cost_per_unit';
    const csv = [head, ...rows].join('\n');
    for (const confirm of [false, true]) {
      const reply = await post(plan.manager.token, '/stock/import', { csv, confirm }).catch(() => null);
      await reply?.arrayBuffer();
      if (reply?.ok) done.imports += confirm ? 1 : 0;
      else done.errors += 1;
      if (stop.signal.aborted) return;
    }
  }
}

const lists = ['/orders?per_page=100', '/stock?size=100', '/admin/dashboard/stats', '/stock/transactions?per_page=100'];

async function readLists(reader: number): Promise<void> {
  const headers = { authorization: `Bearer ${plan.manager.token}` };
  for (let turn = reader; !stop.signal.aborted; turn++) {
    const reply = await fetch(`${plan.url}/api${lists[turn % lists.length]}`, { headers }).catch(() => null);
    await reply?.arrayBuffer();
    if (reply?.ok) done.reads += 1;
    else done.errors += 1;
  }
}

async function finish(): Promise<void> {
  stop.abort();
  await working;
  process.send!(done);
}

process.on('message', (message: 'start' | 'stop') => {
  if (message === 'stop') {
    void finish();
    return;
  }
  stop = new AbortController();
  done = { streams: 0, refusals: 0, imports: 0, reads: 0, errors: 0 };
  const tokens = plan.tokens.flatMap((token) => Array.from({ length: plan.streamsPerSession }, () => token));
  let waiting = tokens.length;
  const streams = tokens.map((token) =>
    stream(token, () => {
      waiting -= 1;
      if (waiting === 0) process.send!('started');
    }),
  );
  const readers = Array.from({ length: plan.readers }, (_, reader) => readLists(reader));
  working = Promise.all([...streams, ...readers, beRefused(), importTables()]);
});
