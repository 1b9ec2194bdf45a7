/** A tablet that sells in a clinic with the Spanish tax profile: each sale has an invoice and its fiscal record. */
import { chainAggregate } from '#domain/fiscal/operations.ts';
import { documentOf, recordOfDocument } from '#domain/fiscal/documents.ts';
import { hashOf, headOf, sealOf } from '#domain/fiscal/record.ts';
import type { ChainHead, IssueRecord } from '#domain/fiscal/record.ts';
import type { AnyOperation } from '#domain/protocol/operations.ts';
import type { PayPayload } from '#domain/order/operations.ts';
import { defaultSettings } from '#domain/settings/settings.ts';
import { line } from './device.ts';
import type { TestDevice } from './device.ts';
import { newId } from './unique.ts';
import { sha256, testIssuer } from './verifactu/records.ts';

/** The settings of the clinic. */
export const issuerSettings = {
  tax_profile: 'ES',
  legal_name: testIssuer.name,
  tax_id: testIssuer.taxId,
  address: 'Calle Mayor 1',
  postal_code: '28013',
  city: 'Madrid',
} as const;

const { tax_profile: _profile, ...issuer } = issuerSettings;

export interface FiscalSale {
  created: AnyOperation;
  paid: AnyOperation;
  record: IssueRecord;
  /** The operation that brings the record. */
  recorded: AnyOperation;
}

/** Returns a record that says something else, with digests that fit it. */
export function forged(
  record: IssueRecord,
  over: Partial<IssueRecord> & { fields: IssueRecord['fields'] },
): IssueRecord {
  const { seal: _seal, hash: _hash, ...rest } = { ...record, ...over };
  const hashed = { ...rest, hash: hashOf(rest, sha256) };
  return { ...hashed, seal: sealOf(hashed, sha256) };
}

export class FiscalTill {
  private previous: ChainHead | null = null;

  constructor(
    readonly device: TestDevice,
    private readonly clock: () => number = Date.now,
  ) {}

  sale(): FiscalSale {
    const { device } = this;
    const items = [line({ unit_price: 60 })];
    const at = { occurred_at: new Date(this.clock()).toISOString() };
    const created = device.create(items, at);
    const invoice: PayPayload['invoice'] = {
      ...device.invoice(items),
      issued_at: at.occurred_at,
      document_type: 'F2',
      tax_totals: [{ exempt: 'E1', base: 60, tax: 0, gross: 60 }],
      issuer,
    };
    const paid = device.pay(created, 60, { invoice }, { depends_on: [created.op_id], ...at });
    const { code: chain } = device.info;
    const settings = { ...defaultSettings, ...issuerSettings };
    const record = recordOfDocument(documentOf(paid)!, { chain, previous: this.previous, settings, sha256 });
    return { created, paid, record, recorded: this.recorded(record) };
  }

  /** Returns a record of a document that nobody issues, at the next place of the chain. */
  invented(fields: Partial<IssueRecord['fields']> = {}): FiscalSale {
    const { previous } = this;
    const { record: made, ...sale } = this.sale();
    const record = forged(made, { document_op_id: newId(), fields: { ...made.fields, ...fields } });
    this.previous = previous;
    return { ...sale, record, recorded: this.recorded(record) };
  }

  /** Returns the operation that brings a record, after which the chain goes on. */
  recorded(record: IssueRecord): AnyOperation {
    this.previous = headOf(record);
    const occurred_at = new Date(this.clock()).toISOString();
    return this.device.operation('fiscal.record', record, { aggregate: chainAggregate(record.chain), occurred_at });
  }
}
