/** The operations on a stock item. */
import { stockAggregate, stockOperations } from '#domain/stock/operations.ts';
import type { StockOperation } from '#domain/stock/operations.ts';
import { milliFromWire } from '#domain/quantity.ts';
import type { Sql } from '#server/db/sql.ts';
import { describedBy, refused } from '#server/operations/operation-module.ts';
import type {
  BatchContext,
  BatchPart,
  DecideContext,
  DecidedBatch,
  Decision,
  OperationModule,
} from '#server/operations/operation-module.ts';
import { existingItems, ledgerEffects, writeLedger } from './service.ts';
import type { LedgerEntry } from './service.ts';

/**
 * Stands last in the list of modules: every tablet sells the same items, and a transaction that waits for an item's
 * lock waits for all that the other one writes after it.
 */
export const ledgerModule: OperationModule<StockOperation> = {
  kinds: Object.keys(stockOperations) as StockOperation['kind'][],
  aggregateOf: ({ payload }) => stockAggregate(payload.stock_id),
  describe: ({ amount }) => describedBy([], [amount]),
  async load(sql, context, operations) {
    const ids = operations.map(({ payload }) => payload.stock_id);
    return new LedgerBatch(context, await existingItems(sql, context.clinicId, ids));
  },
};

const entryTypes = { add: 'stock_in', subtract: 'stock_out', set: 'manual_adjustment' } as const;

class LedgerBatch implements BatchPart<StockOperation> {
  private readonly adjustments: LedgerEntry[] = [];

  constructor(
    private readonly context: BatchContext,
    private readonly items: ReadonlySet<number>,
  ) {}

  decide(operation: StockOperation, { atMs }: DecideContext): Decision {
    const { stock_id, action, amount } = operation.payload;
    if (!this.items.has(stock_id)) return refused('STOCK_NOT_FOUND', { stock_id });
    this.adjustments.push(adjustment(operation, atMs));
    return { status: 'applied', data: () => ({ stock_id, action, amount }) };
  }

  /** Writes what other nouns left for the ledger, then the adjustments. */
  async write(sql: Sql, { effects }: DecidedBatch): Promise<void> {
    const { clinicId, receivedAtMs } = this.context;
    const works = effects.of(ledgerEffects);
    await writeLedger(sql, clinicId, receivedAtMs, {
      entries: [...works.flatMap(({ entries }) => entries), ...this.adjustments],
      reservations: new Map(works.flatMap(({ reservations }) => [...reservations])),
    });
  }
}

function adjustment({ op_id, payload, actor_id, device_id }: StockOperation, effectiveAtMs: number): LedgerEntry {
  const { stock_id, action, amount, notes } = payload;
  const amountMilli = milliFromWire(amount);
  return {
    stockId: stock_id,
    type: entryTypes[action],
    movement:
      action === 'set'
        ? { type: 'count', quantityMilli: amountMilli, effectiveAtMs }
        : { type: 'delta', changeMilli: action === 'add' ? amountMilli : -amountMilli, effectiveAtMs },
    referenceType: 'adjustment',
    referenceId: null,
    notes: notes ?? '',
    userId: actor_id,
    deviceId: device_id,
    opId: op_id,
    lineId: null,
  };
}
