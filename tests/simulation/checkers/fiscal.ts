/**
 * Checks the chains of fiscal records: every document has one record, the server has each record as it was made, and each
 * chain is whole or its break was told.
 */
import { createHash } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import type { AnyOperation, Operation } from '#domain/protocol/operations.ts';
import { groupBy, lastReceipt } from './final-state.ts';
import type { FinalState, InvoiceRow, RecordRow, SettledRun } from './final-state.ts';

type RecordOperation = Operation<'fiscal.record'>;

export function checkFiscal(final: FinalState, { wasRestored }: Pick<SettledRun, 'wasRestored'>): string[] {
  // Only copies of one storage, or a server that has forgotten records, may break a chain.
  const mayBreak = wasRestored || final.tablets.some(({ tablet }) => tablet.isClone);
  return [...checkRecords(final), ...checkStored(final), ...checkChains(final, mayBreak), ...checkCancelled(final)];
}

/** Returns the number of the document that an operation issued. */
function documentNumber({ kind, payload }: AnyOperation): string | undefined {
  if (kind === 'order.pay' || kind === 'order.invoice') return payload.invoice?.invoice_number;
  return kind === 'order.refund' || kind === 'order.cancel' ? payload.credit_note_number : undefined;
}

const isRecord = (operation: AnyOperation): operation is RecordOperation & { kind: 'fiscal.record' } =>
  operation.kind === 'fiscal.record';

/** A document and its record are written together, so none is without the other. */
function checkRecords({ durable }: FinalState): string[] {
  const originals = durable.flatMap(({ operation }) => (operation.supersedes ? [] : operation));
  const records = new Map(originals.filter(isRecord).map((operation) => [operation.payload.document_op_id, operation]));
  const violations = originals.flatMap((operation) => {
    const number = documentNumber(operation);
    const record = records.get(operation.op_id);
    records.delete(operation.op_id);
    if (number === record?.payload.fields.number) return [];
    return `document ${number} of ${operation.op_id} has the record of ${record?.payload.fields.number}`;
  });
  return [...violations, ...[...records.keys()].map((opId) => `the record of ${opId} has no document`)];
}

/** The server keeps each applied record as it was made, once, and no other record of a tablet. */
function checkStored({ applied, server }: FinalState): string[] {
  const made = new Map(
    applied.filter(isRecord).map(({ device_id, payload }) => [`${device_id} ${payload.seal}`, payload]),
  );
  const violations = server.records.flatMap(({ device_id, seal, record }) => {
    if (device_id === 0) return [];
    const payload = made.get(`${device_id} ${seal}`);
    made.delete(`${device_id} ${seal}`);
    return isDeepStrictEqual(payload, record)
      ? []
      : `the server has the record ${record.fields.number} of device ${device_id}, which differs from the one that was made`;
  });
  return [...violations, ...[...made.values()].map(({ fields }) => `the server lacks the record of ${fields.number}`)];
}

function checkChains({ server, applied }: FinalState, mayBreak: boolean): string[] {
  const raised = new Set(server.attention.flatMap(({ kind, op_id }) => (kind === 'chain_broken' ? (op_id ?? []) : [])));
  const operations = applied.filter(isRecord);
  return [...groupBy(server.records, ({ chain, device_id }) => `${chain} of device ${device_id}`)].flatMap(
    ([name, records]) => {
      const [{ chain, device_id }] = records as [RecordRow];
      const own = operations.filter(
        ({ payload, device_id: device }) => payload.chain === chain && device === device_id,
      );
      const isTold = own.some(({ op_id }) => raised.has(op_id));
      const broken = records.filter((row, index) => !follows(row, records[index - 1]));
      if (broken.length === 0) return isTold && !mayBreak ? `the chain ${name} is whole, but a break was told` : [];
      const code = server.codes.find((row) => row.code === chain && row.device_id === device_id);
      return [
        ...(mayBreak ? [] : [`the chain ${name} is broken at ${broken[0]!.sequence}`]),
        ...(isTold ? [] : [`the break of the chain ${name} at ${broken[0]!.sequence} was not told`]),
        ...(code && code.retired_at === null ? [`the code of the broken chain ${name} is still in use`] : []),
      ];
    },
  );
}

/** Returns whether a record follows the one before it. Computes the hash by itself. */
function follows({ sequence, hash, record }: RecordRow, before: RecordRow | undefined): boolean {
  const { type, fields, previous } = record;
  const { issuer, number, issued_on } = fields;
  const isOfIssue = type === 'issue';
  const suffix = isOfIssue ? '' : 'Anulada';
  const id = `IDEmisorFactura${suffix}=${issuer}&NumSerieFactura${suffix}=${number}&FechaExpedicionFactura${suffix}=${issued_on}`;
  const amounts = isOfIssue
    ? `&TipoFactura=${fields.type}&CuotaTotal=${fields.tax_total}&ImporteTotal=${fields.total}`
    : '';
  const text = `${id}${amounts}&Huella=${before?.hash ?? ''}&FechaHoraHusoGenRegistro=${fields.generated_at}`;
  return (
    sequence === (before?.sequence ?? 0) + 1 &&
    (previous?.hash ?? null) === (before?.hash ?? null) &&
    (previous?.seal ?? null) === (before?.seal ?? null) &&
    hash === createHash('sha256').update(text).digest('hex').toUpperCase()
  );
}

/**
 * A document whose operation was given up is cancelled once, and no other is, but for those that are annulled: the credit
 * note of a cancel that does not stand, and the second invoice in exchange for one. A cancellation that met its document on the
 * way to the agency, which then rejected the document, is sent once more and says so. One that said that the agency has no document
 * is withdrawn, and followed by another, where the agency has it from before a restore.
 */
function checkCancelled({ server, receipts }: FinalState): string[] {
  const annulled = new Set([
    ...server.cancels.flatMap(({ op_id, annulled: isAnnulled }) => (isAnnulled ? op_id : [])),
    ...secondExchanges(server.invoices),
  ]);
  const states = new Map(server.sendings.map(({ record_id, state }) => [record_id, state]));
  const all = server.records.filter(({ record }) => record.type === 'cancel' && !record.fields.again);
  const isWithdrawn = ({ id, record }: RecordRow): boolean =>
    record.type === 'cancel' &&
    record.fields.unregistered === true &&
    states.get(id) === 'not_sent' &&
    all.some((other) => other.id > id && other.record.document_op_id === record.document_op_id);
  const cancels = groupBy(
    all.filter((row) => !isWithdrawn(row)),
    ({ record }) => `${record.document_op_id} ${record.fields.number}`,
  );
  const violations = server.records.flatMap(({ record }) => {
    if (record.type !== 'issue') return [];
    const key = `${record.document_op_id} ${record.fields.number}`;
    const count = cancels.get(key)?.length ?? 0;
    cancels.delete(key);
    const expected =
      lastReceipt(receipts, record.document_op_id)?.kind === 'operation.void' || annulled.has(record.document_op_id)
        ? 1
        : 0;
    return count === expected ? [] : `${record.fields.number} was cancelled ${count} times, expected ${expected}`;
  });
  return [...violations, ...[...cancels.keys()].map((key) => `${key} was cancelled without having been recorded`)];
}

/**
 * Returns the operations of all invoices but the first in exchange for one invoice of a treatment. Copies of one storage may
 * have given its number to invoices of several treatments.
 */
function secondExchanges(invoices: readonly InvoiceRow[]): string[] {
  const exchanges = invoices.filter(({ document }) => document['replaces']);
  const replacedBy = ({ order_id, document }: InvoiceRow): string =>
    `${order_id} ${(document['replaces'] as { number: string }).number}`;
  return [...groupBy(exchanges, replacedBy).values()].flatMap((same) =>
    same
      .toSorted((a, b) => (orderOf(a) < orderOf(b) ? -1 : 1))
      .slice(1)
      .map(({ op_id }) => op_id),
  );
}

const orderOf = ({ id, document }: InvoiceRow): string => `${String(document['issued_at'])} ${id}`;
