/**
 * Sends the operations of a rescue file as their own device would: in order, in batches within the limits, under the same
 * ids. Nothing is written here, so nothing can be there twice: the server takes each id once, from whoever brings it, and the
 * device, should it come back, finds its own work done.
 */
import type { ErrorCode } from '../../../../domain/protocol/errors.ts';
import type { AnyOperation } from '../../../../domain/protocol/operations.ts';
import { maxBatchBytes, maxBatchOperations } from '../../../../domain/protocol/sync.ts';
import type { BatchReply, OperationResult } from '../../../../domain/protocol/sync.ts';

/** `known`: the server had it already. `waiting`: it builds on something that the server does not have. */
export type Outcome =
  | { status: 'applied' | 'known' | 'waiting' }
  | { status: 'refused'; code: ErrorCode; details: Record<string, string | number> | undefined };

/** A reply, or how the call failed: nobody answered, nobody is signed in, or the batch as a whole was not taken. */
export type Posted = { ok: true; reply: BatchReply } | { ok: false; fault: 'unreachable' | 'expired' | 'rejected' };
export type Post = (operations: AnyOperation[]) => Promise<Posted>;

export type Sent = { ended: 'finished' | 'stopped' | 'broken' | 'expired' };

interface Sending {
  operations: readonly AnyOperation[];
  post: Post;
  /** What the server has said so far; a run that goes on after an interruption leaves those out that it took. */
  outcomes: ReadonlyMap<string, Outcome>;
  onOutcomes: (outcomes: ReadonlyMap<string, Outcome>) => void;
  signal: AbortSignal;
}

export async function sendRescued({ operations, post, outcomes, onOutcomes, signal }: Sending): Promise<Sent> {
  const heard = new Map(outcomes);
  let open = operations.filter(({ op_id }) => !heard.has(op_id) || heard.get(op_id)!.status === 'waiting');
  let limit = maxBatchOperations;
  while (open.length > 0) {
    if (signal.aborted) return { ended: 'stopped' };
    const batch = nextBatch(open, limit);
    const posted = await post(batch);
    if (!posted.ok && posted.fault === 'rejected') {
      // One that the server cannot take as part of a batch is found by halving, as the worker finds it.
      if (batch.length > 1) limit = Math.ceil(batch.length / 2);
      else {
        heard.set(batch[0]!.op_id, { status: 'refused', code: 'VALIDATION', details: undefined });
        open = open.slice(1);
      }
      continue;
    }
    if (!posted.ok) return { ended: posted.fault === 'expired' ? 'expired' : 'broken' };
    const results = readResults(posted.reply, batch);
    if (!results) return { ended: 'broken' };
    for (const result of results) heard.set(result.op_id, outcomeOf(result));
    open = open.slice(batch.length);
    limit = maxBatchOperations;
    onOutcomes(new Map(heard));
  }
  onOutcomes(new Map(heard));
  return { ended: 'finished' };
}

const encoder = new TextEncoder();
/** The braces and the name around the operations of a batch. */
const wrappingBytes = 64;

/** As many as may go at once; always at least one. */
export function nextBatch(operations: readonly AnyOperation[], limit: number): AnyOperation[] {
  let bytes = wrappingBytes;
  const fits = operations.slice(0, limit).findIndex((operation) => {
    bytes += encoder.encode(JSON.stringify(operation)).byteLength + 1;
    return bytes > maxBatchBytes;
  });
  return operations.slice(0, fits === -1 ? limit : Math.max(1, fits));
}

/** A captive portal also says 200: only a reply that answers for these very operations counts. */
function readResults(reply: BatchReply, batch: readonly AnyOperation[]): OperationResult[] | null {
  const results = (reply as Partial<BatchReply> | null)?.data?.results;
  if (!Array.isArray(results) || results.length !== batch.length) return null;
  const sent = new Set(batch.map(({ op_id }) => op_id));
  return results.every(({ op_id }) => sent.delete(op_id)) ? results : null;
}

function outcomeOf({ status, replayed, reply }: OperationResult): Outcome {
  if (status === 'applied') return { status: replayed ? 'known' : 'applied' };
  if (status === 'waiting' || reply.success) return { status: 'waiting' };
  return { status: 'refused', code: reply.code, details: reply.details as Record<string, string | number> | undefined };
}
