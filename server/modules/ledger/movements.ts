import { milliFromWire } from '#domain/quantity.ts';
import type { Result } from '#domain/result.ts';
import type { AdjustStockPayload } from '#domain/stock/operations.ts';
import type { WriteContext } from '#server/context.ts';
import { audit } from '../audit/service.ts';
import { decideAdjustment, writeLedger } from './service.ts';

/** Enters a purchase or a usage that no delivery and no treatment tells of. */
export async function enterMovement(
  context: WriteContext,
  {
    stockId,
    type,
    quantity,
    notes = '',
  }: { stockId: number; type: 'purchase' | 'usage'; quantity: number; notes?: string | undefined },
): Promise<Result<AdjustStockPayload>> {
  const { sql, session, clinicId, atMs, newId } = context;
  const agreed = await decideAdjustment(sql, clinicId, {
    stock_id: stockId,
    action: type === 'purchase' ? 'add' : 'subtract',
    amount: quantity,
  });
  if (!agreed.ok) return agreed;
  const milli = milliFromWire(quantity);
  const entry = {
    stockId,
    type,
    movement: { type: 'delta' as const, changeMilli: type === 'purchase' ? milli : -milli, effectiveAtMs: atMs },
    referenceType: 'adjustment' as const,
    referenceId: null,
    notes,
    userId: session.userId,
    deviceId: session.deviceId,
    opId: newId(),
    lineId: null,
  };
  await writeLedger(sql, clinicId, atMs, { entries: [entry], reservations: new Map() });
  await audit(context, {
    action: 'stock.adjust',
    subject: String(stockId),
    details: { change: agreed.value.action, quantity },
  });
  return agreed;
}
