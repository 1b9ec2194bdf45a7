import { useLiveQuery } from '../local-data/live.ts';
import { useEffect, useState } from 'react';
import { orderFromResource } from '#domain/order/resource.ts';
import type { OrderResource } from '#domain/order/resource.ts';
import { api } from '../api/client.ts';
import type { OrderRow } from '../db/database.ts';
import { orderRow } from '../db/rows.ts';
import { orderById } from '../db/queries/orders.ts';
import { db } from '../local-data/database.ts';

/**
 * Returns the treatment from this device, or else from the server: devices drop treatments closed over a week ago.
 *
 * @returns undefined while loading; null if neither has it, or the server does not answer
 */
export function useOrderAtHand(orderId: string, foreign?: OrderRow): OrderRow | null | undefined {
  const here = useLiveQuery(async () => (await orderById(db, orderId)) ?? null, [orderId]);
  const [told, setTold] = useState<OrderRow | null | undefined>(foreign);
  const mustAsk = here === null && told === undefined;
  useEffect(() => {
    if (!mustAsk) return;
    const end = new AbortController();
    void api
      .get(`orders/${orderId}`, { signal: end.signal })
      .json<{ data: OrderResource }>()
      .then(({ data }) => setTold(orderRow(orderFromResource(data), 0)))
      .catch(() => {
        if (!end.signal.aborted) setTold(null);
      });
    return () => end.abort();
  }, [mustAsk, orderId]);
  return here === null ? told : here;
}
