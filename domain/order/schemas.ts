/** The schemas of treatments: the payloads of their operations. */
import { z } from 'zod';
import { minorFromWire } from '../money.ts';
import { patientSchema } from '../patient/schemas.ts';
import { maxCells, rowParts, rowStyles } from '../printed-row.ts';
import {
  amountSchema,
  idSchema,
  instantSchema,
  nameSchema,
  nonNegativeAmountSchema,
  notesSchema,
  numberSchema,
  positiveAmountSchema,
  quantitySchema,
  reasonSchema,
  textSchema,
  uuidSchema,
} from '../wire/schemas.ts';
import { maxLines, maxMinor, maxTreatmentFacts, textLimits } from '../limits.ts';
import { taxDocumentFields, taxSchema } from '../tax/schemas.ts';
import { subtotalOf } from './order.ts';
import { orderTypes, paymentMethods } from './vocabulary.ts';

/** Accepts `takeout` as another name of `take_away`. */
export const orderTypeSchema = z.preprocess((type) => (type === 'takeout' ? 'take_away' : type), z.enum(orderTypes));

/** A line of a treatment: exactly one of `stock_id` and `product_id` is set. It has a tax only under a tax profile. */
export const lineFields = {
  line_id: uuidSchema,
  stock_id: idSchema.optional(),
  product_id: idSchema.optional(),
  name: nameSchema.min(1),
  quantity: quantitySchema.refine((quantity) => quantity > 0, { message: 'oneQuantity' }),
  unit_price: nonNegativeAmountSchema,
  tax: taxSchema.optional(),
  notes: notesSchema,
};
const lineSchema = z
  .strictObject(lineFields)
  .refine((line) => (line.stock_id === undefined) !== (line.product_id === undefined), {
    message: 'oneSubject',
  });

/** A line in the place of another one: the same service with another quantity or note. */
const replacementSchema = lineSchema.safeExtend({ replaces: uuidSchema });

/** The bounds of one line imply nothing for the sum, nor those of quantity and price for the line. */
const linesSchema = z
  .array(lineSchema)
  .min(1)
  .max(maxLines)
  .refine((lines) => new Set(lines.map(({ line_id }) => line_id)).size === lines.length, {
    message: 'ownLineId',
  })
  .refine((lines) => subtotalOf(lines) <= maxMinor, { message: 'tooHigh', params: { limit: maxMinor / 100 } });

interface NamedLines {
  removed_line_ids?: string[] | undefined;
  replaced_items?: { line_id?: string | undefined; replaces: string }[] | undefined;
}

export function namesEachLineOnce({ removed_line_ids = [], replaced_items = [] }: NamedLines): boolean {
  const ids = [
    ...removed_line_ids,
    ...replaced_items.flatMap(({ line_id, replaces }) => [line_id ?? [], replaces].flat()),
  ];
  return new Set(ids).size === ids.length;
}

export const printedRowSchema = z.strictObject({
  style: z.enum(rowStyles),
  left: textSchema(500).optional(),
  right: textSchema(500).optional(),
  part: z.enum(rowParts).optional(),
  cells: z.array(textSchema(500)).max(maxCells).optional(),
});

export const invoiceSchema = z.strictObject({
  invoice_id: uuidSchema,
  invoice_number: numberSchema,
  issued_at: instantSchema,
  currency: textSchema(8),
  subtotal: amountSchema,
  discount_amount: nonNegativeAmountSchema,
  service_charge_amount: nonNegativeAmountSchema,
  service_charge_percentage: z.number().min(0).max(100),
  reduction_amount: nonNegativeAmountSchema.optional(),
  total_amount: amountSchema,
  line_ids: z.array(uuidSchema).max(maxTreatmentFacts),
  notes: notesSchema,
  language: textSchema(8),
  printed: z.array(printedRowSchema).max(1500),
  ...taxDocumentFields,
});

const creditNoteSchema = z.strictObject({
  issued_at: instantSchema,
  total_amount: amountSchema,
  language: textSchema(8),
  printed: z.array(printedRowSchema).max(1500),
  ...taxDocumentFields,
});

interface StatedPart {
  line_id: string;
  amount?: number | undefined;
}

interface StatedRefund {
  amount: number;
  lines?: StatedPart[] | undefined;
  allowances?: StatedPart[] | undefined;
  reduction?: number | undefined;
  still_owed?: true | undefined;
}

/**
 * A refund names each service once, and lowers the cost by no less than it states for services and by no more than its
 * amount.
 */
export function isWithinRefund({ amount, lines = [], allowances = [], reduction, still_owed }: StatedRefund): boolean {
  if (hasRepeated(lines) || hasRepeated(allowances)) return false;
  if (still_owed) return lines.length + allowances.length === 0 && (reduction ?? 0) === 0;
  const statedMinor = [...lines, ...allowances].reduce((sum, part) => sum + minorFromWire(part.amount ?? 0), 0);
  const reductionMinor = reduction === undefined ? statedMinor : minorFromWire(reduction);
  return statedMinor <= reductionMinor && reductionMinor <= minorFromWire(amount);
}

const hasRepeated = (parts: readonly StatedPart[]): boolean =>
  new Set(parts.map(({ line_id }) => line_id)).size < parts.length;

const refundPartsSchema = z
  .array(z.strictObject({ line_id: uuidSchema, amount: positiveAmountSchema }))
  .max(maxTreatmentFacts)
  .optional();

export const refundFields = {
  order_id: uuidSchema,
  refund_id: uuidSchema,
  payment_method: z.enum(paymentMethods),
  amount: positiveAmountSchema,
  reason: reasonSchema,
  /** From the device's credit note series. */
  credit_note_number: numberSchema,
  /** The refunded services; absent for a refund of the treatment as a whole. */
  lines: refundPartsSchema,
  /** How what the reduction exceeds its lines by is spread over the services; absent where that is nothing. */
  allowances: refundPartsSchema,
  /** By how much it lowers what the treatment costs: at least the sum of its lines, at most its amount. */
  reduction: nonNegativeAmountSchema,
  /** Set for money that was taken by mistake: the treatment is still to be paid. */
  still_owed: z.literal(true).optional(),
  credit_note: creditNoteSchema.optional(),
};

/** A credit note has a number, and a number its credit note. */
export const hasWholeNote = (cancel: { credit_note_number?: string | undefined; credit_note?: unknown }): boolean =>
  (cancel.credit_note_number === undefined) === (cancel.credit_note === undefined);

export const changeFields = {
  order_id: uuidSchema,
  removed_line_ids: z.array(uuidSchema).max(maxLines).optional(),
  replaced_items: z.array(replacementSchema).max(maxLines).optional(),
  /** The room, and its number at that time; null for no room. */
  room_id: idSchema.nullable().optional(),
  room_number: textSchema(100).optional(),
  /** The name for documents, of the patient if one is given; empty for nobody. */
  customer_name: nameSchema.optional(),
  patient: patientSchema.optional(),
};

export const cancelFields = {
  order_id: uuidSchema,
  status: z.literal('cancelled'),
  notes: notesSchema,
  /** Set when the treatment is invoiced under a tax profile: the number and the credit note that takes this back. */
  credit_note_number: numberSchema.optional(),
  credit_note: creditNoteSchema.optional(),
};

export const orderPayloadSchemas = {
  'order.create': z.strictObject({
    order_id: uuidSchema,
    number: numberSchema,
    order_type: orderTypeSchema,
    customer_name: nameSchema.optional(),
    patient: patientSchema.optional(),
    /** The room, and its number at that time. */
    room_id: idSchema.optional(),
    room_number: textSchema(100).optional(),
    notes: notesSchema,
    items: linesSchema,
    currency: textSchema(8).min(1),
    service_charge: nonNegativeAmountSchema,
    /** The amount as agreed; later additions don't change it (see `discount.ts`). */
    discount: nonNegativeAmountSchema,
    discount_reason: textSchema(textLimits.reason).optional(),
    total: amountSchema,
  }),
  'order.add_services': z.strictObject({ order_id: uuidSchema, items: linesSchema, notes: notesSchema }),
  /** Changes an open treatment. What is absent stays as it is. */
  'order.change': z
    .strictObject(changeFields)
    .refine(namesEachLineOnce, { message: 'ownLineId' })
    .refine(({ replaced_items = [] }) => subtotalOf(replaced_items) <= maxMinor, {
      message: 'tooHigh',
      params: { limit: maxMinor / 100 },
    }),
  'order.cancel': z.strictObject(cancelFields).refine(hasWholeNote, { message: 'oneCreditNote' }),
  'order.pay': z.strictObject({
    order_id: uuidSchema,
    payment_id: uuidSchema,
    payment_method: z.enum(paymentMethods),
    /** The part of `tendered` that counts towards the treatment. */
    amount: nonNegativeAmountSchema,
    tendered: nonNegativeAmountSchema,
    change: nonNegativeAmountSchema,
    reference_number: textSchema(textLimits.reference).optional(),
    /** Set when this payment clears the balance. */
    invoice: invoiceSchema.optional(),
  }),
  'order.refund': z.strictObject(refundFields).refine(isWithinRefund, { message: 'refundParts' }),
  /**
   * An invoice that no payment issues: of a service that is done and not paid, or a full invoice in exchange for a
   * simplified one.
   */
  'order.invoice': z.strictObject({ order_id: uuidSchema, invoice: invoiceSchema }),
};
