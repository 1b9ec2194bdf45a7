/** Tells a manager of supplies that were used after they had expired. */
import { groupBy } from '#domain/group-by.ts';
import type { Sql } from '#server/db/sql.ts';
import { raiseAttention } from '../attention/service.ts';
import type { Concern } from '../attention/service.ts';
import type { ExpiredUse } from './lots.ts';
import { peopleOf, stockNames } from './store.ts';

/** The lots that one item names: a treatment uses few, and a manager looks at the shelf anyhow. */
const mostNamed = 5;

/** Raises one item for each operation that used expired lots. Returns at once when none did. */
export async function tellExpiredUses(
  sql: Sql,
  clinicId: number,
  atMs: number,
  uses: readonly ExpiredUse[],
): Promise<void> {
  if (uses.length === 0) return;
  const names = await stockNames(sql, clinicId, [...new Set(uses.map(({ entry }) => entry.stockId))]);
  const people = await peopleOf(
    sql,
    clinicId,
    uses.map(({ entry }) => entry),
  );
  const concerns = [...groupBy(uses, ({ entry }) => entry.opId)].map(([opId, ofOne]): Concern => {
    const { referenceType, referenceId, notes, userId, deviceId } = ofOne[0]!.entry;
    const lots = [...new Map(ofOne.map(({ lot }) => [lot.id, lot])).values()].slice(0, mostNamed);
    const isTreatment = referenceType === 'order';
    const { actor, device } = people.of(userId, deviceId);
    return {
      kind: 'lot_expired',
      opId,
      opKind: null,
      orderId: isTreatment ? referenceId : null,
      details: {
        actor_id: userId,
        ...(actor !== undefined && { actor }),
        ...(device !== undefined && { device }),
        // Usage notes the number of its treatment.
        ...(isTreatment && { number: notes }),
        name: [...new Set(lots.map(({ stockId }) => names.get(stockId) ?? ''))].join(', '),
        lot: lots.map(({ number }) => number).join(', '),
        day: lots.map(({ expiresOn }) => expiresOn!).sort()[0]!,
      },
    };
  });
  await raiseAttention(sql, clinicId, atMs, concerns);
}
