/** Creates, extends and cancels treatments. */
import { documentOfCreditNote } from '#domain/fiscal/documents.ts';
import { composeAddedServices, composeTreatment } from '#domain/order/compose.ts';
import { composeCancel } from '#domain/order/compose-documents.ts';
import type { RequestedLine } from '#domain/order/decisions.ts';
import { discountOf } from '#domain/order/discount.ts';
import type { PlanDiscount } from '#domain/order/discount.ts';
import type { OrderType } from '#domain/order/vocabulary.ts';
import { milliFromWire } from '#domain/quantity.ts';
import { accept, refuse } from '#domain/result.ts';
import type { Result } from '#domain/result.ts';
import type { ClinicSettings } from '#domain/settings/settings.ts';
import { lineTax } from '#domain/tax/profile.ts';
import type { CatalogueItem, ClinicDatabase, DocumentRow } from '../database.ts';
import { clinicSettings } from '../singletons.ts';
import { commit } from '../write.ts';
import type { Write } from '../write.ts';
import { issueContext, numbered } from './context.ts';
import type { CommandContext } from './context.ts';
import { creditNoteDocument } from './documents.ts';
import { newOrder, openOrder, orderTables, record, save } from './order-draft.ts';
import { patientPayload, savePatient } from './patients.ts';
import type { PlannedPatient } from './patients.ts';
import { textLimits } from '#domain/limits.ts';
import { storableText } from './storable-text.ts';

export interface PlannedService {
  /** The key of a catalogue item. */
  itemKey: string;
  quantity: number;
  notes?: string;
}

export interface NewTreatment {
  orderType: OrderType;
  customerName?: string;
  /** The patient's name replaces `customerName`. */
  patient?: PlannedPatient | undefined;
  room?: { id: number; number: string } | undefined;
  notes?: string;
  services: PlannedService[];
  /** `mayExceed` is true when the user, or who approves, may exceed the clinic's limit. */
  discount?: (PlanDiscount & { mayExceed: boolean }) | undefined;
}

/** Creates a numbered treatment from a plan. */
export function createTreatment(
  context: CommandContext,
  { orderType, customerName, patient: planned, room, notes, services, discount }: NewTreatment,
): Promise<Result<{ orderId: string; number: string }>> {
  const { db } = context;
  const tables = [...orderTables(db), db.catalogue, db.settings, db.patients];
  const read = () => Promise.all([plannedItems(db, services), clinicSettings(db)]);
  const create = (write: Write, [items, settings]: Awaited<ReturnType<typeof read>>) => {
    const patient = patientPayload(planned);
    const lines = requestedLines(write, settings, services, items);
    const draft = newOrder(write.newId());
    const composed = composeTreatment(settings, {
      orderId: draft.id,
      orderType,
      lines,
      customerName: patient?.name ?? storableText(customerName, textLimits.name),
      patient,
      roomId: room?.id,
      roomNumber: room?.number,
      notes: storableText(notes, textLimits.notes),
      discount: discount && {
        minorOf: (subtotalMinor) => discountOf(discount, subtotalMinor),
        reason: storableText(discount.reason, textLimits.reason),
        mayExceed: discount.mayExceed,
      },
    });
    if (!composed.ok) return composed;
    if (patient) savePatient(write, patient);
    const { number } = record(write, draft, 'order.create', numbered(write, composed.value));
    save(write, draft);
    return accept({ orderId: draft.id, number });
  };
  return commit(context, tables, create, read);
}

/** Adds services to a treatment. A paid treatment reopens with a balance (SYNC-11). */
export function addServices(
  context: CommandContext,
  { orderId, services, notes }: { orderId: string; services: PlannedService[]; notes?: string },
): Promise<Result<{ orderId: string }>> {
  const { db } = context;
  const tables = [...orderTables(db), db.catalogue, db.settings];
  const read = () => Promise.all([openOrder({ db }, orderId), plannedItems(db, services), clinicSettings(db)]);
  const add = (write: Write, [draft, items, settings]: Awaited<ReturnType<typeof read>>) => {
    if (!draft?.order) return refuse('ORDER_NOT_FOUND');
    const composed = composeAddedServices(draft.order, {
      lines: requestedLines(write, settings, services, items),
      notes: storableText(notes, textLimits.notes),
    });
    if (!composed.ok) return composed;
    record(write, draft, 'order.add_services', composed.value);
    save(write, draft);
    return accept({ orderId });
  };
  return commit(context, tables, add, read);
}

export interface CancelOutcome {
  orderId: string;
  number: string;
  /** The credit note of an invoiced treatment. */
  document: DocumentRow | null;
}

/** Cancels a treatment. If it is invoiced, the same transaction writes the credit note that takes the invoice back. */
export function cancelTreatment(
  context: CommandContext,
  { orderId, notes }: { orderId: string; notes?: string },
): Promise<Result<CancelOutcome>> {
  const { db, print } = context;
  return commit(context, [...orderTables(db), db.documents, db.settings], async (write) => {
    const [draft, stored] = await Promise.all([openOrder(write, orderId), clinicSettings(db)]);
    if (!draft?.order) return refuse('ORDER_NOT_FOUND');
    const { order } = draft;
    const issuing = issueContext(write, stored, print);
    const composed = composeCancel(issuing, order, { notes: storableText(notes, textLimits.notes) });
    if (!composed.ok) return composed;
    const payload = numbered(write, composed.value);
    record(write, draft, 'order.cancel', payload);
    const opId = draft.tail!;
    const { credit_note_number: number, credit_note: note } = payload;
    const issued = number !== undefined && note ? { number, note } : null;
    if (issued) write.appendRecord(documentOfCreditNote(opId, issued), issuing.settings);
    save(write, draft);
    const document = issued && creditNoteDocument(opId, orderId, issued);
    if (document) write.put(db.documents, document);
    return accept({ orderId, number: order.number, document });
  });
}

const plannedItems = (db: ClinicDatabase, services: readonly PlannedService[]) =>
  db.catalogue.bulkGet(services.map(({ itemKey }) => itemKey));

/** Turns planned services into lines at the prices of this moment: `items` are read in the command's transaction. */
const requestedLines = (
  write: Write,
  settings: ClinicSettings,
  services: readonly PlannedService[],
  items: readonly (CatalogueItem | undefined)[],
): RequestedLine[] =>
  services.map(({ quantity, notes }, index) => ({
    lineId: write.newId(),
    sellable: sellable(items[index]),
    quantityMilli: milliFromWire(quantity),
    tax: lineTax(settings, items[index]?.tax, write.effectiveMs),
    notes: storableText(notes, textLimits.notes),
  }));

function sellable(item: CatalogueItem | undefined): RequestedLine['sellable'] {
  if (!item) return undefined;
  const { type, id, name, price_minor, available } = item;
  return { type, id, name, priceMinor: price_minor, isAvailable: available === 1 };
}
