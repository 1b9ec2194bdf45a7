/** Sends REST calls in sequence, as a client without batches does. */
import type { AnyOperation } from '../../../domain/protocol/operations.ts';

/** Returns the REST call for an operation; its body states what was agreed at the counter. */
export function requestOf({ kind, op_id, payload }: AnyOperation, token: string): Request {
  const { order_id } = payload as { order_id: string };
  return new Request(kind === 'order.create' ? '/api/orders' : `/api/orders/${order_id}/payments`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${token}`, 'idempotency-key': op_id },
    body: JSON.stringify(payload),
  });
}

let requests: Request[] = [];

export async function prepare(operations: AnyOperation[], token: string): Promise<void> {
  requests = operations.map((operation) => requestOf(operation, token));
}

/** @returns milliseconds */
export async function run(): Promise<number> {
  const started = performance.now();
  for (const request of requests) {
    const reply = await fetch(request);
    if (!reply.ok) throw new Error(`${request.url} failed with ${reply.status}.`);
    await reply.text();
  }
  return performance.now() - started;
}
