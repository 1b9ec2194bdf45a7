/** What came of the faults, told by what stands in the end: it proves that a history reached what its auditor looks at. */
import { maxBatchBytes, maxBatchOperations } from '../../../domain/protocol/sync.ts';
import type { NetResponse, Call } from '../../../sw/sync/ports.ts';
import type { FinalState } from './final-state.ts';

export const coverageMarks = [
  'a batch full by number',
  'a batch full by size',
  'a number on two papers',
  'a new code',
  'a drawer that another tablet worked into',
  'an outage that carried sales',
  'a sale of what was deleted',
  'work that another brought',
] as const;
export type CoverageMark = (typeof coverageMarks)[number];

/** What the notes of a long simulation add to an operation: so close to the limit no further one fits. */
const almostBytes = maxBatchBytes - 4096;

export function marksOfCall({ path, body }: Call, answer: NetResponse): CoverageMark[] {
  if (path !== '/sync/batch' || answer?.status !== 200) return [];
  const { results } = (answer.json as { data: { results: unknown[] } }).data;
  return [
    ...(results.length === maxBatchOperations ? ['a batch full by number' as const] : []),
    ...(body!.length > almostBytes ? ['a batch full by size' as const] : []),
  ];
}

export function marksOfState({ server, tablets, receipts }: FinalState): CoverageMark[] {
  const gone = new Map<string, string | null>([
    ...server.items.map(({ id, deleted_at }) => [`s${id}`, deleted_at] as const),
    ...server.products.map(({ id, deleted_at }) => [`p${id}`, deleted_at] as const),
  ]);
  const isSoldLater = server.lines.some(({ stock_id, product_id, op_id }) => {
    const deletedAt = gone.get(stock_id === null ? `p${product_id}` : `s${stock_id}`);
    return deletedAt && (receipts.get(op_id)?.received_ms ?? 0) > Date.parse(deletedAt);
  });
  const openedOn = new Map(server.drawers.map(({ id, device_id }) => [id, device_id]));
  const happened: Record<Exclude<CoverageMark, 'a batch full by number' | 'a batch full by size'>, boolean> = {
    'a number on two papers': server.attention.some(({ kind }) => kind === 'duplicate_number'),
    'a new code': new Set(server.codes.map(({ device_id }) => device_id)).size < server.codes.length,
    'a drawer that another tablet worked into': server.movements.some(
      ({ op_id, drawer_id }) => receipts.get(op_id)?.device_id !== openedOn.get(drawer_id),
    ),
    'an outage that carried sales': tablets.some(({ outages }) => outages.some(({ sales }) => sales > 0)),
    'a sale of what was deleted': isSoldLater,
    'work that another brought': server.receipts.some(({ actor_id, uploaded_by }) => actor_id !== uploaded_by),
  };
  return (Object.keys(happened) as (keyof typeof happened)[]).filter((mark) => happened[mark]);
}
