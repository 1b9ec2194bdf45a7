import { expect, test } from 'vitest';
import type { AttentionResource } from '#domain/protocol/sync.ts';
import { groupItems } from '#src/features/outbox/tray/group-items.ts';

let nextId = 1;
const item = (kind: AttentionResource['kind'], actorId: number): AttentionResource => ({
  id: nextId++,
  kind,
  op_id: null,
  op_kind: 'order.create',
  order_id: null,
  details: { actor_id: actorId },
  created_at: '2026-11-27T04:00:00.000Z',
  settled_at: null,
});

const times = (count: number, kind: AttentionResource['kind'], actorId: number) =>
  Array.from({ length: count }, () => item(kind, actorId));
const sizes = (items: AttentionResource[]) => groupItems(items).map((group) => group.items.length);

test('groups what is of one kind and one person, from three on', () => {
  expect(sizes(times(3, 'price_differs', 1))).toEqual([3]);
  expect(sizes(times(2, 'price_differs', 1))).toEqual([1, 1]);
  expect(sizes([...times(3, 'price_differs', 1), ...times(3, 'price_differs', 2)])).toEqual([3, 3]);
  expect(sizes([...times(3, 'price_differs', 1), ...times(3, 'change_high', 1)])).toEqual([3, 3]);
  const closed = ['drawer.open', 'drawer.move', 'drawer.close'] as const;
  expect(sizes(closed.map((op_kind) => ({ ...item('late_work', 1), op_kind })))).toEqual([3]);
});

test('groups what was paid and not invoiced, whoever did it', () => {
  expect(sizes([item('under_invoiced', 1), item('under_invoiced', 2), item('under_invoiced', 3)])).toEqual([3]);
});

test('leaves alone what asks for money or a document', () => {
  for (const kind of ['overpaid', 'cash_limit', 'record_rejected'] as const)
    expect(sizes(times(4, kind, 1)), kind).toEqual([1, 1, 1, 1]);
});

test('groups refusals of one reason, person and device, whatever was refused', () => {
  const refusal = (op_kind: string, details: Record<string, string>): AttentionResource => {
    const refused = item('refused', 1);
    return { ...refused, op_kind, details: { ...refused.details, code: 'KEY_ENDED', device: 'A7', ...details } };
  };
  const sale = [refusal('order.create', {}), refusal('order.pay', {}), refusal('order.refund', {})];
  expect(sizes(sale)).toEqual([3]);
  expect(sizes([...sale, refusal('order.pay', { code: 'FORBIDDEN' }), refusal('order.pay', { device: 'B7' })])).toEqual(
    [3, 1, 1],
  );
  // No void ends what is permanent.
  expect(sizes([...sale, refusal('fiscal.record', {})])).toEqual([3, 1]);
});

test('keeps the key of a group when its first item is settled', () => {
  const items = times(4, 'backdated', 1);
  expect(groupItems(items.slice(1))[0]!.key).toBe(groupItems(items)[0]!.key);
});
