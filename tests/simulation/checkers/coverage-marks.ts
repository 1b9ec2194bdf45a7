/** Coverage marks prove that the histories reach the rare states that the checkers inspect. */
import { maxBatchBytes, maxBatchOperations } from '#domain/protocol/sync.ts';
import type { NetResponse, Call } from '#sw/sync/ports.ts';
import type { FinalState } from './final-state.ts';

export const coverageMarks = [
  'a batch full by count',
  'a batch full by size',
  'a number on two documents',
  'a new device code',
  'a drawer used by another tablet',
  'a changed service on an invoice',
  'an outage with sales',
  'a sale of a deleted item',
  'an operation uploaded by another person',
] as const;
export type CoverageMark = (typeof coverageMarks)[number];

/** A batch above this size cannot take another operation with long notes. */
const fullBatchBytes = maxBatchBytes - 4096;

export function marksOfCall({ path, body }: Call, answer: NetResponse): CoverageMark[] {
  if (!path.startsWith('/sync/batch') || answer?.status !== 200) return [];
  const { results } = (answer.json as { data: { results: unknown[] } }).data;
  return [
    ...(results.length === maxBatchOperations ? ['a batch full by count' as const] : []),
    ...(body!.length > fullBatchBytes ? ['a batch full by size' as const] : []),
  ];
}

export function marksOfState({ server, tablets, receipts }: FinalState): CoverageMark[] {
  const deletedAtOf = new Map<string, string | null>([
    ...server.items.map(({ id, deleted_at }) => [`s${id}`, deleted_at] as const),
    ...server.products.map(({ id, deleted_at }) => [`p${id}`, deleted_at] as const),
  ]);
  const isSoldAfterDeletion = server.lines.some(({ stock_id, product_id, op_id }) => {
    const deletedAt = deletedAtOf.get(stock_id === null ? `p${product_id}` : `s${stock_id}`);
    return deletedAt && (receipts.get(op_id)?.received_ms ?? 0) > Date.parse(deletedAt);
  });
  const openedOn = new Map(server.drawers.map(({ id, device_id }) => [id, device_id]));
  const reached: Record<Exclude<CoverageMark, 'a batch full by count' | 'a batch full by size'>, boolean> = {
    'a number on two documents': server.attention.some(({ kind }) => kind === 'duplicate_number'),
    'a new device code': new Set(server.codes.map(({ device_id }) => device_id)).size < server.codes.length,
    'a drawer used by another tablet': server.movements.some(
      ({ op_id, drawer_id }) => receipts.get(op_id)?.device_id !== openedOn.get(drawer_id),
    ),
    'a changed service on an invoice': server.attention.some(({ kind }) => kind === 'change_overruled'),
    'an outage with sales': tablets.some(({ outages }) => outages.some(({ sales }) => sales > 0)),
    'a sale of a deleted item': isSoldAfterDeletion,
    'an operation uploaded by another person': server.receipts.some(
      ({ actor_id, uploaded_by }) => actor_id !== uploaded_by,
    ),
  };
  return (Object.keys(reached) as (keyof typeof reached)[]).filter((mark) => reached[mark]);
}
