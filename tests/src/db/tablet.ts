/** A tablet for tests: a fresh database on an IndexedDB of its own, an enrolled device, a small catalogue, and a clock that the test moves. */
import { IDBFactory, IDBKeyRange } from 'fake-indexeddb';
import { ClinicDatabase } from '#src/db/database.ts';
import type { DeviceReply } from '#domain/protocol/sync.ts';
import type { CatalogueItem } from '#src/db/database.ts';
import type { CommandContext } from '#src/db/commands/context.ts';
import { takePayment } from '#src/db/commands/payments.ts';
import type { PaymentOutcome } from '#src/db/commands/payments.ts';
import { createTreatment } from '#src/db/commands/treatments.ts';
import type { NewTreatment } from '#src/db/commands/treatments.ts';
import { orderById } from '#src/db/queries/orders.ts';
import type { DocumentLabels } from '#domain/order/document-writer.ts';
import type { ActorKey } from '#src/db/proof.ts';
import { neverSynced } from '#src/db/singletons.ts';
import { noNumbersUsed } from '#domain/order/numbers.ts';
import english from '#locales/en.json' with { type: 'json' };
import { defaultSettings } from '#domain/settings/settings.ts';
import type { Result } from '#domain/result.ts';

export const noon = Date.UTC(2026, 4, 12, 10, 0, 0);

export const documentLabels: DocumentLabels = {
  invoice: 'Invoice',
  receipt: 'Receipt',
  creditNote: 'Credit note',
  number: 'No.',
  creditNoteNumber: 'Credit note no.',
  forInvoice: 'For invoice',
  treatment: 'Treatment',
  issued: 'Issued',
  treatmentDate: 'Date of treatment',
  room: 'Room',
  customer: 'Customer',
  cashier: 'Served by',
  subtotal: 'Subtotal',
  discount: 'Discount',
  reduction: 'Reduction',
  serviceCharge: 'Service charge',
  total: 'Total',
  paid: 'Paid',
  balance: 'Balance',
  tendered: 'Tendered',
  change: 'Change',
  reference: 'Reference',
  refunded: 'Refunded',
  reason: 'Reason',
  methods: { cash: 'Cash', card: 'Card', insurance: 'Insurance', others: 'Other' },
  columns: english.print.labels.columns,
  tax: english.print.labels.tax,
};

export interface Clock {
  now: number;
}

export interface OfflineTablet extends CommandContext {
  clock: Clock;
  factory: IDBFactory;
  /** Another window of the same tablet. */
  otherTab(): CommandContext;
  close(): void;
}

/** Deterministic bytes, different on every call. */
function byteSource(seed: number): (bytes: number) => Uint8Array {
  let state = seed >>> 0;
  return (bytes) =>
    Uint8Array.from({ length: bytes }, () => {
      state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
      return state >>> 24;
    });
}

export const service = (id: number, changes: Partial<CatalogueItem> = {}): CatalogueItem => ({
  key: `s${id}`,
  type: 'stock',
  id,
  name: `Service ${id}`,
  search_key: `service ${id}`,
  word_starts: [`service ${id}`, `${id}`],
  category_id: 1,
  price_minor: id * 1000,
  unit: 'pcs',
  image_url: null,
  barcode: '',
  available: 1,
  needs_preparation: true,
  stocked: 1,
  base_quantity_milli: 10_000,
  quantity_milli: 10_000,
  low_stock_threshold_milli: 2000,
  ...changes,
});

/** The key of user 7 on device 3. */
export const actorKey: ActorKey = { deviceId: 3, sessionId: 11, bytes: new Uint8Array(32).fill(1) };

/** The server's reply about the device, without a number seen. */
export const deviceReply: DeviceReply = {
  device_id: 3,
  code: 'A7',
  tax_id: null,
  counters: { treatment: 0, invoice: 0, credit_note: 0 },
  last_seq: 0,
  epoch: 'e',
  server_time: '',
};

export async function openTablet(seed = 1): Promise<OfflineTablet> {
  const factory = new IDBFactory();
  const clock: Clock = { now: noon };
  const random = byteSource(seed);
  const open = () => new ClinicDatabase('dental-counter', { indexedDB: factory, IDBKeyRange });
  const databases: ClinicDatabase[] = [];
  const context = (): CommandContext => {
    const db = open();
    databases.push(db);
    return {
      db,
      ports: { now: () => clock.now, random },
      actorId: 7,
      actorKey: () => Promise.resolve(actorKey),
      onWritten: () => undefined,
      print: { language: 'en', labels: documentLabels, cashierName: 'Ana' },
    };
  };
  const first = context();
  await first.db.transaction(
    'rw',
    [first.db.device, first.db.sync, first.db.settings, first.db.catalogue],
    async () => {
      await first.db.device.put({
        id: 'this',
        device_id: 3,
        device_key: 'key',
        code: 'A7',
        counters: { ...noNumbersUsed },
        next_seq: 1,
      });
      await first.db.sync.put({ ...neverSynced });
      await first.db.settings.put({ id: 'this', settings: { ...defaultSettings, practice_name: 'Clínica Luz' } });
      await first.db.catalogue.bulkPut([service(1), service(2), service(3, { available: 0 })]);
    },
  );
  return {
    ...first,
    clock,
    factory,
    otherTab: context,
    close: () => databases.forEach((db) => db.close()),
  };
}

/** The value of a result that must not be a refusal. */
export function valueOf<T>(result: Result<T>): T {
  if (!result.ok) throw new Error(`Refused: ${result.refusal.code}`);
  return result.value;
}

export const refusalOf = (result: Result<unknown>): string | null => (result.ok ? null : result.refusal.code);

/** Creates a treatment and takes its exact payment, as the counter does. */
export async function sell(
  context: CommandContext,
  {
    method = 'cash',
    reference,
    ...treatment
  }: Pick<NewTreatment, 'services' | 'discount'> & { method?: PaymentOutcome['method']; reference?: string },
): Promise<PaymentOutcome> {
  const { orderId } = valueOf(await createTreatment(context, { orderType: 'walk_in', ...treatment }));
  const { balanceMinor } = (await orderById(context.db, orderId))!;
  return valueOf(
    await takePayment(context, {
      orderId,
      method,
      tenderedMinor: balanceMinor,
      ...(reference !== undefined && { reference }),
    }),
  );
}
