/** The current draft as the screen shows it: at the catalogue's prices, with the treatment that it will be added to. */
import { useLiveQuery } from '#src/local-data/live.ts';
import { useMemo } from 'react';
import { discountOf } from '#domain/order/discount.ts';
import { lineTotal } from '#domain/order/order.ts';
import { db } from '#src/local-data/database.ts';
import type { OrderRow } from '#src/db/database.ts';
import { itemsByKey } from '#src/db/queries/catalogue.ts';
import { orderById } from '#src/db/queries/orders.ts';
import { currentDraft, usePlan } from './plan-store.ts';
import type { PlanLine } from './plan-store.ts';

export interface PricedLine extends PlanLine {
  totalMinor: number;
  /** False when the service can no longer be sold. */
  available: boolean;
}

export interface PricedPlan {
  lines: PricedLine[];
  /** Sum of the plan's own lines. */
  addedMinor: number;
  discountMinor: number;
  /** Includes the total of the existing treatment. */
  totalMinor: number;
  serviceCount: number;
  existing: OrderRow | null;
}

export function usePricedPlan(): PricedPlan {
  const lines = usePlan((plan) => currentDraft(plan).lines);
  const discount = usePlan((plan) => currentDraft(plan).discount);
  const editingId = usePlan((plan) => plan.editingId);
  const existing =
    useLiveQuery(async () => (editingId ? ((await orderById(db, editingId)) ?? null) : null), [editingId]) ?? null;
  const keys = lines.map(({ itemKey }) => itemKey).join(' ');
  const items = useLiveQuery(async () => {
    const queried = keys ? keys.split(' ') : [];
    const found = await itemsByKey(db, queried);
    return { queried: new Set(queried), byKey: new Map(found.map((item) => [item.key, item])) };
  }, [keys]);

  return useMemo(() => {
    const priced = lines.map((line): PricedLine => {
      const item = items?.byKey.get(line.itemKey);
      const current = { ...line, name: item?.name ?? line.name, priceMinor: item?.price_minor ?? line.priceMinor };
      const totalMinor = lineTotal({ quantityMilli: line.quantity * 1000, unitPriceMinor: current.priceMinor });
      // A line that was just added counts as available until the catalogue query includes it.
      const known = items?.queried.has(line.itemKey);
      return { ...current, totalMinor, available: known ? item?.available === 1 : true };
    });
    // Right after another treatment is chosen, the query still returns the previous one.
    const loaded = editingId && existing?.id === editingId ? existing : null;
    const addedMinor = priced.reduce((sum, { totalMinor }) => sum + totalMinor, 0);
    const discountMinor = discountOf(discount, addedMinor);
    return {
      lines: priced,
      addedMinor,
      discountMinor,
      totalMinor: addedMinor - discountMinor + (loaded?.owedMinor ?? 0),
      serviceCount: priced.reduce((sum, { quantity }) => sum + quantity, 0),
      existing: loaded,
    };
  }, [lines, discount, items, existing, editingId]);
}
