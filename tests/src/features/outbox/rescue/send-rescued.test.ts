import { describe, expect, test } from 'vitest';
import type { AnyOperation } from '../../../../../domain/protocol/operations.ts';
import { maxBatchBytes } from '../../../../../domain/protocol/sync.ts';
import type { OperationResult } from '../../../../../domain/protocol/sync.ts';
import { nextBatch, sendRescued } from '../../../../../src/features/outbox/rescue/send-rescued.ts';
import type { Outcome, Post, Posted } from '../../../../../src/features/outbox/rescue/send-rescued.ts';

const operation = (n: number, notes = ''): AnyOperation =>
  ({ op_id: `op-${n}`, payload: { notes } }) as unknown as AnyOperation;
const many = (count: number) => Array.from({ length: count }, (_, n) => operation(n));

/** A server that takes each id once. */
class Server {
  readonly taken = new Set<string>();
  readonly batches: string[][] = [];
  fault: (batch: string[]) => Exclude<Posted, { ok: true }>['fault'] | null = () => null;
  judge: (opId: string) => 'refused' | 'waiting' | null = () => null;
  loseReply = false;

  readonly post: Post = async (operations) => {
    const opIds = operations.map(({ op_id }) => op_id);
    const fault = this.fault(opIds);
    if (fault) return { ok: false, fault };
    this.batches.push(opIds);
    const results = opIds.map((op_id): OperationResult => {
      const verdict = this.judge(op_id);
      if (verdict)
        return { op_id, status: verdict, replayed: false, reply: { success: false, code: 'VALIDATION', message: '' } };
      const replayed = this.taken.has(op_id);
      this.taken.add(op_id);
      return { op_id, status: 'applied', replayed, reply: { success: true, data: null } };
    });
    if (this.loseReply) return { ok: false, fault: 'unreachable' };
    return { ok: true, reply: { success: true, data: { epoch: 'e', server_time: '', results } } };
  };
}

async function send(
  server: Server,
  operations: AnyOperation[],
  before: ReadonlyMap<string, Outcome> = new Map(),
  signal = new AbortController().signal,
) {
  let outcomes = before;
  const { ended } = await sendRescued({
    operations,
    post: server.post,
    outcomes: before,
    onOutcomes: (heard) => (outcomes = heard),
    signal,
  });
  return { ended, outcomes, statuses: operations.map(({ op_id }) => outcomes.get(op_id)?.status) };
}

describe('SYNC-3 a rescue file is sent in order, within the limits', () => {
  test('sends at most 200 at once, in the order of the file', async () => {
    const server = new Server();
    const { ended } = await send(server, many(450));
    expect(ended).toBe('finished');
    expect(server.batches.map(({ length }) => length)).toEqual([200, 200, 50]);
    expect(server.batches.flat()).toEqual(many(450).map(({ op_id }) => op_id));
  });

  test('keeps a batch under the limit of bytes, and sends one that is over it alone', () => {
    const large = [
      operation(1, 'x'.repeat(200_000)),
      operation(2, 'x'.repeat(200_000)),
      operation(3, 'x'.repeat(maxBatchBytes * 2)),
    ];
    expect(nextBatch(large, 200).map(({ op_id }) => op_id)).toEqual(['op-1']);
    expect(nextBatch(large.slice(2), 200)).toHaveLength(1);
  });
});

describe('SYNC-4 a rescue file is harmless however often it is imported', () => {
  test('says what was there already', async () => {
    const server = new Server();
    await send(server, many(3));
    expect((await send(server, many(3))).statuses).toEqual(['known', 'known', 'known']);
    expect(server.taken.size).toBe(3);
  });

  test('goes on where it broke off, and asks again for what got lost on the way back', async () => {
    const server = new Server();
    server.fault = () => (server.batches.length === 1 ? 'unreachable' : null);
    const broken = await send(server, many(300));
    expect(broken).toMatchObject({ ended: 'broken' });
    expect(broken.outcomes.size).toBe(200);
    server.fault = () => null;
    server.loseReply = true;
    expect((await send(server, many(300), broken.outcomes)).ended).toBe('broken');
    server.loseReply = false;
    const again = await send(server, many(300), broken.outcomes);
    expect(again.ended).toBe('finished');
    expect(again.outcomes.size).toBe(300);
    expect(server.batches.slice(1).every((batch) => batch[0] === 'op-200')).toBe(true);
    expect(server.taken.size).toBe(300);
  });

  test('can be stopped between two batches', async () => {
    const server = new Server();
    const stop = new AbortController();
    const post: Post = (operations) => {
      stop.abort();
      return server.post(operations);
    };
    const sent = await sendRescued({
      operations: many(300),
      post,
      outcomes: new Map(),
      onOutcomes: () => undefined,
      signal: stop.signal,
    });
    expect(sent.ended).toBe('stopped');
    expect(server.taken.size).toBe(200);
  });
});

describe('SYNC-6 a reply is judged before it is believed', () => {
  test('ends when the session is over or a stranger answers', async () => {
    const server = new Server();
    server.fault = () => 'expired';
    expect((await send(server, many(1))).ended).toBe('expired');
    const portal: Post = async () => ({ ok: true, reply: {} as never });
    const sent = await sendRescued({
      operations: many(1),
      post: portal,
      outcomes: new Map(),
      onOutcomes: () => undefined,
      signal: new AbortController().signal,
    });
    expect(sent.ended).toBe('broken');
  });

  test('finds the one that the server cannot take, and sends the others', async () => {
    const server = new Server();
    server.fault = (batch) => (batch.includes('op-5') ? 'rejected' : null);
    const { ended, statuses } = await send(server, many(20));
    expect(ended).toBe('finished');
    expect(statuses.filter((status) => status === 'applied')).toHaveLength(19);
    expect(statuses[5]).toBe('refused');
  });

  test('keeps what was refused apart from what waits, and tries the waiting ones again', async () => {
    const server = new Server();
    server.judge = (opId) => (({ 'op-0': 'refused', 'op-1': 'waiting' }) as const)[opId] ?? null;
    const first = await send(server, many(3));
    expect(first.statuses).toEqual(['refused', 'waiting', 'applied']);
    server.judge = () => null;
    expect((await send(server, many(3), first.outcomes)).statuses).toEqual(['refused', 'applied', 'applied']);
  });
});
