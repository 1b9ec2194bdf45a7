/** The schemas of the REST calls of treatments: each body is a payload, with the fields optional that the server can fill in. */
import { z } from 'zod';
import { isServerCode } from '../device.ts';
import { maxLines, maxTreatmentFacts, textLimits } from '../limits.ts';
import { recipientSchema } from '../tax/schemas.ts';
import {
  amountSchema,
  nameSchema,
  notesSchema,
  numberSchema,
  positiveAmountSchema,
  quantitySchema,
  seenField,
  textSchema,
  uuidSchema,
} from '../wire/schemas.ts';
import { maxCollected } from './collective.ts';
import { codeOfNumber } from './numbers.ts';
import { maxRetention } from './retention.ts';
import {
  cancelFields,
  changeFields,
  hasWholeNote,
  invoiceSchema,
  isWithinRefund,
  lineFields,
  namesEachLineOnce,
  orderPayloadSchemas,
  refundFields,
} from './schemas.ts';
import { paymentMethods } from './vocabulary.ts';

/** A requested line: the server looks up what is missing. */
const requestedLineSchema = z
  .strictObject(lineFields)
  .partial()
  .extend({ name: nameSchema.optional(), quantity: quantitySchema });

const partialLines = z.array(requestedLineSchema).max(maxLines);

/**
 * The number of a document that the caller has issued. The series of the server move by the server alone, and it makes the
 * fiscal records of their documents.
 */
const statedNumberSchema = numberSchema.refine((number) => !isServerCode(codeOfNumber(number) ?? ''), {
  message: 'serverNumber',
});
const statedInvoiceSchema = invoiceSchema.extend({ invoice_number: statedNumberSchema });

export const createOrderBodySchema = orderPayloadSchemas['order.create']
  .partial()
  .extend({ items: partialLines.default([]) });
export const addServicesBodySchema = orderPayloadSchemas['order.add_services']
  .partial({ order_id: true })
  .extend({ items: partialLines });
/** A replaced line keeps its service, price and tax. */
export const changeBodySchema = z
  .strictObject(changeFields)
  .partial({ order_id: true })
  .omit({ room_number: true })
  .extend({
    replaced_items: z
      .array(
        z.strictObject({
          line_id: uuidSchema.optional(),
          replaces: uuidSchema,
          quantity: quantitySchema.optional(),
          notes: notesSchema,
        }),
      )
      .max(maxLines)
      .optional(),
  })
  .refine(namesEachLineOnce, { message: 'ownLineId' });
export const statusBodySchema = z
  .strictObject(cancelFields)
  .partial({ order_id: true })
  .extend({
    status: z.enum(['pending', 'confirmed', 'preparing', 'ready', 'served', 'completed', 'cancelled']),
    credit_note_number: statedNumberSchema.optional(),
  })
  .refine(hasWholeNote, { message: 'oneCreditNote' });
export const payBodySchema = orderPayloadSchemas['order.pay'].partial().extend({
  payment_method: z.enum(paymentMethods),
  amount: amountSchema,
  invoice: statedInvoiceSchema.optional(),
  /** Stand on the invoice that this payment issues. */
  notes: notesSchema,
  /** Makes it a full invoice. */
  recipient: recipientSchema.optional(),
});
export const refundBodySchema = z
  .strictObject(refundFields)
  .partial()
  .required({ amount: true, reason: true })
  .extend({
    credit_note_number: statedNumberSchema.optional(),
    lines: z
      .array(z.strictObject({ line_id: uuidSchema, amount: positiveAmountSchema.optional() }))
      .max(maxTreatmentFacts)
      .optional(),
  })
  .refine(isWithinRefund, { message: 'refundParts' });
/** Without `replaces` it bills what is not invoiced. */
export const invoiceBodySchema = orderPayloadSchemas['order.invoice'].partial().extend({
  invoice: statedInvoiceSchema.optional(),
  recipient: recipientSchema.optional(),
  /** The number of the simplified invoice that a full one takes the place of. */
  replaces: numberSchema.optional(),
});

/** A collective invoice to a payer (`collective.ts`). */
export const collectiveBodySchema = z.strictObject({
  order_ids: z
    .array(uuidSchema)
    .min(1)
    .max(maxCollected)
    .refine((ids) => new Set(ids).size === ids.length, { message: 'ownLineId' }),
  recipient: recipientSchema,
  retention_percentage: z.number().positive().max(maxRetention).optional(),
});
/** With the total of the preview: the invoice is issued as it was seen, or not at all. */
export const issueCollectiveBodySchema = collectiveBodySchema.extend({ total_amount: amountSchema });
/** A payer has no cash: from 1,000 euros it is forbidden between businesses, and a drawer would have to be open. */
export const payCollectiveBodySchema = z.strictObject({
  payment_method: z.enum(paymentMethods).exclude(['cash']),
  reference_number: textSchema(textLimits.reference).optional(),
  ...seenField,
});
