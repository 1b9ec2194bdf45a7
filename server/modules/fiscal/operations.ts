/** The operations that bring the fiscal records of tablets. */
import { chainAggregate, fiscalOperations } from '#domain/fiscal/operations.ts';
import type { FiscalPayloads } from '#domain/fiscal/operations.ts';
import { documentOf } from '#domain/fiscal/documents.ts';
import { hashOf, sealOf } from '#domain/fiscal/record.ts';
import type { FiscalRecord } from '#domain/fiscal/record.ts';
import { codeOfNumber } from '#domain/order/numbers.ts';
import type { OperationsOf } from '#domain/wire/envelope.ts';
import type { Sql } from '#server/db/sql.ts';
import { describedBy, refused } from '#server/operations/operation-module.ts';
import type {
  BatchContext,
  BatchPart,
  DecidedBatch,
  Decision,
  OperationModule,
  RaisedConcern,
} from '#server/operations/operation-module.ts';
import type { NewReceipt } from '#server/operations/receipts.ts';
import { retireCodes } from '../devices/service.ts';
import { checkedRecords } from './checks.ts';
import type { CheckedRecord } from './checks.ts';
import { falseNif, restateHolds } from './sending-store.ts';
import { annulmentEffects, appendServerRecords, fiscalEffects } from './service.ts';
import { sha256 } from './sha256.ts';
import { insertRecords, noteSendings, ownersOfCodes, recordsAt } from './store.ts';
import type { ChainPlace, NewRecord, StoredPlace } from './store.ts';

type FiscalOperation = OperationsOf<FiscalPayloads>;

export const fiscalModule: OperationModule<FiscalOperation> = {
  kinds: Object.keys(fiscalOperations) as FiscalOperation['kind'][],
  // A tablet makes the record together with its document.
  isCompanion: true,
  aggregateOf: ({ payload }) => chainAggregate(payload.chain),
  describe: ({ fields }) => describedBy([(fields as { number?: unknown } | undefined)?.number], []),
  async load(sql, context, operations) {
    if (operations.length === 0) return new FiscalBatch(context, [], new Map());
    const places = operations.flatMap(({ device_id: deviceId, payload: { chain, sequence } }) => [
      { chain, deviceId, sequence: sequence - 1 },
      { chain, deviceId, sequence },
    ]);
    // Most records of a batch follow each other, so their places repeat.
    const distinct = [...new Map(places.map((place) => [placeKey(place), place])).values()];
    const [owners, stored] = await Promise.all([
      ownersOfCodes(sql, context.clinicId, [...new Set(places.map(({ chain }) => chain))]),
      recordsAt(sql, context.clinicId, distinct),
    ]);
    return new FiscalBatch(context, stored, new Map(owners.map(({ code, deviceId }) => [code, deviceId])));
  },
};

const maxRetired = 100;

class FiscalBatch implements BatchPart<FiscalOperation> {
  private readonly places = new Map<string, StoredPlace[]>();
  private readonly records: NewRecord[] = [];
  private readonly broken = new Map<string, { code: string; deviceId: number }>();

  /**
   * @param stored the records at the places of the new ones and right before
   * @param owners the devices by the codes that they were granted
   */
  constructor(
    private readonly context: BatchContext,
    stored: readonly StoredPlace[],
    private readonly owners: ReadonlyMap<string, number>,
  ) {
    for (const place of stored) this.add(place);
  }

  private add(place: StoredPlace): void {
    const key = placeKey(place);
    this.places.set(key, [...(this.places.get(key) ?? []), place]);
  }

  /**
   * A record is a fact: whatever it says, its document is printed. So a break in the chain is accepted, and told to a
   * manager.
   */
  decide({ device_id: deviceId, payload: record }: FiscalOperation): Decision {
    const { chain, sequence, hash, seal } = record;
    if (hash !== hashOf(record, sha256)) return refused('VALIDATION', { hash: 'does not match the record' });
    if (seal !== sealOf(record, sha256)) return refused('VALIDATION', { seal: 'does not match the record' });
    const own = { chain, deviceId, sequence, hash, seal };
    const concerns = this.concernsOf(record, deviceId);
    const isKnown = this.at(own).some((other) => other.seal === seal);
    if (!isKnown) {
      this.add(own);
      this.records.push({ deviceId, record });
    }
    return { status: 'applied', data: () => ({ chain, sequence }), concerns };
  }

  private at(place: ChainPlace): StoredPlace[] {
    return this.places.get(placeKey(place)) ?? [];
  }

  private concernsOf(record: FiscalRecord, deviceId: number): RaisedConcern[] {
    const { chain, sequence, previous, seal, fields } = record;
    const owner = this.owners.get(chain);
    const foreign: RaisedConcern = { kind: 'number_foreign', details: { number: fields.number } };
    // The record begins another chain, so the other device's chain stays whole.
    if (owner !== undefined && owner !== deviceId) return [foreign];
    const concerns = codeOfNumber(fields.number) === chain ? [] : [foreign];
    const isFork = this.at({ chain, deviceId, sequence }).some((other) => other.seal !== seal);
    const before = this.at({ chain, deviceId, sequence: sequence - 1 });
    const isLinked = previous
      ? before.some((other) => other.hash === previous.hash && other.seal === previous.seal)
      : sequence === 1;
    if (!isFork && isLinked) return concerns;
    if (this.broken.size < maxRetired) this.broken.set(chain, { code: chain, deviceId });
    return [...concerns, { kind: 'chain_broken', details: { number: fields.number, sequence } }];
  }

  async write(sql: Sql, batch: DecidedBatch): Promise<void> {
    const { effects } = batch;
    const { clinicId, receivedAtMs } = this.context;
    const applied = batch.receipts.filter(({ status }) => status === 'applied').map(({ envelope }) => envelope);
    const issuing = applied.filter((operation) => documentOf(operation));
    const voided = batch.voids.map(({ operation }) => operation.payload.op_id);
    const recorded = this.records.map(({ record }) => record.document_op_id);
    const codes = [...this.broken.values()];
    // Sent one after the other: records are checked once they are there.
    const [, , checked] = await Promise.all([
      insertRecords(sql, this.context, this.records),
      codes.length > 0 ? retireCodes(sql, clinicId, { codes, atMs: receivedAtMs }) : undefined,
      checkedRecords(sql, this.context, {
        issuing: issuing.map(({ op_id }) => op_id),
        others: [...voided, ...recorded],
        isReplacing: voided.length > 0 || issuing.some(({ supersedes }) => supersedes !== undefined),
      }),
    ]);
    // A cancellation looks at what is held back.
    await Promise.all([
      this.hold(sql, batch, { applied, checked }),
      appendServerRecords(sql, this.context, {
        documents: effects.of(fiscalEffects),
        voids: voided,
        candidates: [...effects.of(annulmentEffects), ...recorded],
      }),
    ]);
  }

  /** A record goes to the tax agency once its document confirms it. */
  private async hold(
    sql: Sql,
    batch: DecidedBatch,
    { applied, checked }: { applied: readonly NewReceipt['envelope'][]; checked: readonly CheckedRecord[] },
  ): Promise<void> {
    const raise = (concern: RaisedConcern, documentOpIds: readonly string[]): void => {
      const isOf = ({ op_id, payload }: NewReceipt['envelope']) =>
        documentOpIds.includes(op_id) ||
        documentOpIds.includes((payload as { document_op_id?: string }).document_op_id ?? '');
      batch.raise(applied.find(isOf)!, concern);
    };
    for (const { concern, record, operations } of checked)
      if (concern) raise(concern, [record.document_op_id, ...operations.map(({ op_id }) => op_id)]);
    const isNew = new Set(this.records.map(recordKey));
    const holds = new Map(checked.map((one) => [recordKey(one), one.heldFor]));
    const [{ invented, rejected }] = await Promise.all([
      noteSendings(
        sql,
        this.context,
        this.records.map((one) => ({ ...one, withheld: holds.get(recordKey(one))! })),
      ),
      restateHolds(
        sql,
        this.context.clinicId,
        checked.filter((one) => !isNew.has(recordKey(one))),
      ),
    ]);
    for (const { fields, document_op_id } of invented)
      raise({ kind: 'number_foreign', details: { number: fields.number } }, [document_op_id]);
    for (const { fields, document_op_id } of rejected)
      raise({ kind: 'record_rejected', details: { number: fields.number, reason: falseRecipient } }, [document_op_id]);
  }
}

/** What the agency says of such a record. */
const falseRecipient = `${falseNif}: El formato del NIF es incorrecto.`;

const recordKey = ({ deviceId, record }: NewRecord): string => `${deviceId} ${record.seal}`;
const placeKey = ({ chain, deviceId, sequence }: ChainPlace): string => `${chain} ${deviceId} ${sequence}`;
