import { isSettledTogether } from '#domain/attention.ts';
import { isVoidable } from '#domain/protocol/operations.ts';
import type { AttentionResource } from '#domain/protocol/sync.ts';

/** So many alike are read faster as one. */
const fewest = 3;

interface ItemGroup {
  /** Stays the same while its items are settled one after the other. */
  key: string;
  items: AttentionResource[];
}

/** Kinds of which each item is decided alone, but for the same cause. */
const ofOneCause = ['under_invoiced'] as const;
export type SharedCause = (typeof ofOneCause)[number];

export const isSharedCause = (kind: string): kind is SharedCause => (ofOneCause as readonly string[]).includes(kind);

/**
 * Returns what items have in common that one decision or one sentence serves; null for an item that stands alone. A treatment and its
 * payment are refused together, so refusals of all kinds of operations are alike if their reason, person and device are.
 */
function likenessOf({ kind, op_kind, details }: AttentionResource): unknown[] | null {
  const actor = details['actor_id'] ?? null;
  if (isSettledTogether(kind)) return [kind, actor];
  if (isSharedCause(kind)) return [kind];
  if (kind === 'refused') return [kind, details['code'], actor, details['device'], isVoidable(op_kind ?? '')];
  return null;
}

/** Groups items that one decision or one sentence serves. A group stands where its first item stands; a single item is a group of one. */
export function groupItems(items: readonly AttentionResource[]): ItemGroup[] {
  const groups = new Map<string, AttentionResource[]>();
  for (const item of items) {
    const likeness = likenessOf(item);
    const key = likeness ? JSON.stringify(likeness) : String(item.id);
    groups.set(key, [...(groups.get(key) ?? []), item]);
  }
  return [...groups].flatMap(([key, group]) =>
    group.length < fewest ? group.map((item) => ({ key: String(item.id), items: [item] })) : [{ key, items: group }],
  );
}
