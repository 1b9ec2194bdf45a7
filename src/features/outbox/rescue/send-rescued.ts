/**
 * Sends the operations of a rescue file as their own device would: in order, in batches within the limits, with the same
 * ids. The server applies each id once, whichever device sends it, so importing a file twice is harmless, and the original
 * device can still sync later.
 */
import type { ErrorCode } from '#domain/protocol/errors.ts';
import type { AnyOperation } from '#domain/protocol/operations.ts';
import { maxBatchBytes, maxBatchOperations } from '#domain/protocol/sync.ts';
import type { BatchReply, OperationResult } from '#domain/protocol/sync.ts';

/** `known`: the server had the operation already. `waiting`: the server lacks an operation that this one depends on. */
export type Outcome =
  | { status: 'applied' | 'known' | 'waiting' }
  | { status: 'refused'; code: ErrorCode; details: Record<string, string | number> | undefined };

/** `unreachable`: no answer. `expired`: nobody is signed in. `rejected`: the server refused the batch as a whole. */
export type Posted = { ok: true; reply: BatchReply } | { ok: false; fault: 'unreachable' | 'expired' | 'rejected' };
export type Post = (operations: AnyOperation[]) => Promise<Posted>;

export type Sent = { ended: 'finished' | 'stopped' | 'broken' | 'expired' };

interface Sending {
  operations: readonly AnyOperation[];
  post: Post;
  /** The outcomes so far. A resumed run sends only operations that are missing here or waiting. */
  outcomes: ReadonlyMap<string, Outcome>;
  onOutcomes: (outcomes: ReadonlyMap<string, Outcome>) => void;
  signal: AbortSignal;
}

export async function sendRescued({ operations, post, outcomes, onOutcomes, signal }: Sending): Promise<Sent> {
  const known = new Map(outcomes);
  let unsent = operations.filter(({ op_id }) => !known.has(op_id) || known.get(op_id)!.status === 'waiting');
  let limit = maxBatchOperations;
  while (unsent.length > 0) {
    if (signal.aborted) return { ended: 'stopped' };
    const batch = nextBatch(unsent, limit);
    const posted = await post(batch);
    if (!posted.ok && posted.fault === 'rejected') {
      // Halving the batch isolates the operation that the server rejects.
      if (batch.length > 1) limit = Math.ceil(batch.length / 2);
      else {
        known.set(batch[0]!.op_id, { status: 'refused', code: 'VALIDATION', details: undefined });
        unsent = unsent.slice(1);
      }
      continue;
    }
    if (!posted.ok) return { ended: posted.fault === 'expired' ? 'expired' : 'broken' };
    const results = readResults(posted.reply, batch);
    if (!results) return { ended: 'broken' };
    for (const result of results) known.set(result.op_id, outcomeOf(result));
    unsent = unsent.slice(batch.length);
    limit = maxBatchOperations;
    onOutcomes(new Map(known));
  }
  onOutcomes(new Map(known));
  return { ended: 'finished' };
}

const encoder = new TextEncoder();
/** Room for the JSON around the operations of a batch. */
const envelopeBytes = 64;

/** Returns the operations that fit into one batch, and at least one. */
export function nextBatch(operations: readonly AnyOperation[], limit: number): AnyOperation[] {
  let bytes = envelopeBytes;
  const fitting = operations.slice(0, limit).findIndex((operation) => {
    bytes += encoder.encode(JSON.stringify(operation)).byteLength + 1;
    return bytes > maxBatchBytes;
  });
  return operations.slice(0, fitting === -1 ? limit : Math.max(1, fitting));
}

/** Returns null unless the reply answers for exactly these operations: captive portals reply with 200 as well. */
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
