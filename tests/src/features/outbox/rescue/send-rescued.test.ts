import { describe, expect, test } from 'vitest';
import type { AnyOperation } from '#domain/protocol/operations.ts';
import { maxBatchBytes } from '#domain/protocol/sync.ts';
import type { OperationResult } from '#domain/protocol/sync.ts';
import { nextBatch, sendRescued } from '#src/features/outbox/rescue/send-rescued.ts';
import type { Outcome, Post, Posted } from '#src/features/outbox/rescue/send-rescued.ts';

const operation = (n: number, notes = ''): AnyOperation =>
  ({ op_id: `op-${n}`, payload: { notes } }) as unknown as AnyOperation;
const many = (count: number) => Array.from({ length: count }, (_, n) => operation(n));

/** A server that applies each id once. */
class Server {
  readonly applied = new Set<string>();
  readonly batches: string[][] = [];
  fault: (batch: string[]) => Exclude<Posted, { ok: true }>['fault'] | null = () => null;
  decide: (opId: string) => 'refused' | 'waiting' | null = () => null;
  loseReply = false;

  readonly post: Post = async (operations) => {
    const opIds = operations.map(({ op_id }) => op_id);
    const fault = this.fault(opIds);
    if (fault) return { ok: false, fault };
    this.batches.push(opIds);
    const results = opIds.map((op_id): OperationResult => {
      const status = this.decide(op_id);
      if (status) return { op_id, status, replayed: false, reply: { success: false, code: 'VALIDATION', message: '' } };
      const replayed = this.applied.has(op_id);
      this.applied.add(op_id);
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
    onOutcomes: (known) => (outcomes = known),
    signal,
  });
  return { ended, outcomes, statuses: operations.map(({ op_id }) => outcomes.get(op_id)?.status) };
}

describe('SYNC-3 sending a rescue file', () => {
  test('sends at most 200 operations per batch, in the order of the file', async () => {
    const server = new Server();
    const { ended } = await send(server, many(450));
    expect(ended).toBe('finished');
    expect(server.batches.map(({ length }) => length)).toEqual([200, 200, 50]);
    expect(server.batches.flat()).toEqual(many(450).map(({ op_id }) => op_id));
  });

  test('keeps a batch within the byte limit, and sends a larger operation alone', () => {
    const large = [
      operation(1, 'x'.repeat(200_000)),
      operation(2, 'x'.repeat(200_000)),
      operation(3, 'x'.repeat(maxBatchBytes * 2)),
    ];
    expect(nextBatch(large, 200).map(({ op_id }) => op_id)).toEqual(['op-1']);
    expect(nextBatch(large.slice(2), 200)).toHaveLength(1);
  });
});

describe('SYNC-4 sending a rescue file again', () => {
  test('reports operations that the server had already', async () => {
    const server = new Server();
    await send(server, many(3));
    expect((await send(server, many(3))).statuses).toEqual(['known', 'known', 'known']);
    expect(server.applied.size).toBe(3);
  });

  test('resumes after an interruption, and sends a batch again when its reply was lost', async () => {
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
    expect(server.applied.size).toBe(300);
  });

  test('stops between two batches', async () => {
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
    expect(server.applied.size).toBe(200);
  });
});

describe('SYNC-6 replies to a rescue file', () => {
  test('ends when the session has expired or the reply is not the server’s', async () => {
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

  test('isolates an operation that the server rejects, and sends the others', async () => {
    const server = new Server();
    server.fault = (batch) => (batch.includes('op-5') ? 'rejected' : null);
    const { ended, statuses } = await send(server, many(20));
    expect(ended).toBe('finished');
    expect(statuses.filter((status) => status === 'applied')).toHaveLength(19);
    expect(statuses[5]).toBe('refused');
  });

  test('keeps refused operations apart from waiting ones, and sends the waiting ones again', async () => {
    const server = new Server();
    server.decide = (opId) => ({ 'op-0': 'refused', 'op-1': 'waiting' } as const)[opId] ?? null;
    const first = await send(server, many(3));
    expect(first.statuses).toEqual(['refused', 'waiting', 'applied']);
    server.decide = () => null;
    expect((await send(server, many(3), first.outcomes)).statuses).toEqual(['refused', 'applied', 'applied']);
  });
});
