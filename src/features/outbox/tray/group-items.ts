import { isSettledTogether } from '#domain/attention.ts';
import type { AttentionResource } from '#domain/protocol/sync.ts';

/** So many alike are read faster as one. */
const fewest = 3;

interface ItemGroup {
  /** Stays the same while its items are settled one after the other. */
  key: string;
  items: AttentionResource[];
}

/** Groups items of one kind about one person's work. A group stands where its first item stands; a single item is a group of one. */
export function groupItems(items: readonly AttentionResource[]): ItemGroup[] {
  const groups = new Map<string, AttentionResource[]>();
  for (const item of items) {
    const { kind, op_kind, details } = item;
    const key = isSettledTogether(kind)
      ? JSON.stringify([kind, op_kind, details['actor_id'] ?? null])
      : String(item.id);
    groups.set(key, [...(groups.get(key) ?? []), item]);
  }
  return [...groups].flatMap(([key, group]) =>
    group.length < fewest ? group.map((item) => ({ key: String(item.id), items: [item] })) : [{ key, items: group }],
  );
}
