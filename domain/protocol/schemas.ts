/**
 * What a request must look like, as zod schemas. Only the server and the tests load this file: the app builds
 * well-formed requests by its types and spares the download.
 */
import { z } from 'zod';
import { maxMinor } from '../money.ts';
import { maxMilli } from '../quantity.ts';
import { orderTypes, paymentMethods } from '../order/vocabulary.ts';
import { patientLimits } from '../patient/patient.ts';
import { minReasonLength, operationKinds } from './operations.ts';
import type { OperationKind, PayloadOf } from './operations.ts';

/** What a database integer holds. */
const largestInteger = 2_147_483_647;
/** A database integer key. */
export const idSchema = z.number().int().positive().max(largestInteger);
export const idParamSchema = z.coerce.number().int().positive().max(largestInteger);
export const uuidSchema = z.uuid().transform((id) => id.toLowerCase());
/** PostgreSQL knows no year 0 and reads no endless fraction. The years leave room for whatever a wrong clock says. */
export const instantSchema = z.iso
  .datetime()
  .max(30)
  .refine((instant) => /^(19|2\d)\d\d-/.test(instant), { message: 'Must be of the years 1900 to 2999' });
/** From any such instant an offset of this much still leads to a year of four digits. */
const largestOffsetMs = 900 * 365 * 86_400_000;

/** PostgreSQL stores no NUL, and text with lone surrogates is no text. */
export const textSchema = (max: number) =>
  z
    .string()
    .max(max)
    .refine((text) => !text.includes('\u0000') && !/\p{Cs}/u.test(text), {
      message: 'Contains characters that cannot be stored',
    });

/** Whether a number has at most this many decimals, give or take what a double cannot say. */
export const hasPlaces = (places: number) => (value: number) =>
  Math.abs(value * 10 ** places - Math.round(value * 10 ** places)) < 1e-3;
/** Money: a decimal with two places. */
export const amountSchema = z
  .number()
  .min(-maxMinor / 100)
  .max(maxMinor / 100)
  .refine(hasPlaces(2), { message: 'At most 2 decimals' });
export const nonNegativeAmountSchema = amountSchema.refine((amount) => amount >= 0, {
  message: 'Must be 0 or greater',
});
const positiveAmountSchema = amountSchema.refine((amount) => amount > 0, { message: 'Must be greater than 0' });
/** A quantity: a decimal with three places. */
export const quantitySchema = z
  .number()
  .min(0)
  .max(maxMilli / 1000)
  .refine(hasPlaces(3), { message: 'At most 3 decimals' });

/** Both names of a take-away are taken; one is kept. */
export const orderTypeSchema = z.preprocess((type) => (type === 'takeout' ? 'take_away' : type), z.enum(orderTypes));

const numberSchema = textSchema(40).min(1);
const notesSchema = textSchema(2000).optional();
const nameSchema = textSchema(200);

const lineSchema = z
  .object({
    line_id: uuidSchema,
    stock_id: idSchema.optional(),
    product_id: idSchema.optional(),
    name: nameSchema.min(1),
    quantity: quantitySchema.refine((quantity) => quantity > 0, { message: 'Quantity must be at least 1' }),
    unit_price: nonNegativeAmountSchema,
    notes: notesSchema,
  })
  .refine((line) => (line.stock_id === undefined) !== (line.product_id === undefined), {
    message: 'Exactly one of stock_id and product_id is required',
  });

const linesSchema = z.array(lineSchema).min(1).max(200);

const printedRowSchema = z.object({
  style: z.enum(['title', 'text', 'small', 'pair', 'item', 'total', 'rule']),
  left: textSchema(500).optional(),
  right: textSchema(100).optional(),
});

const invoiceSchema = z.object({
  invoice_id: uuidSchema,
  invoice_number: numberSchema,
  issued_at: instantSchema,
  currency: textSchema(8),
  subtotal: amountSchema,
  discount_amount: nonNegativeAmountSchema,
  service_charge_amount: nonNegativeAmountSchema,
  service_charge_percentage: z.number().min(0).max(100),
  total_amount: amountSchema,
  line_ids: z.array(uuidSchema).max(1000),
  notes: notesSchema,
  language: textSchema(8),
  printed: z.array(printedRowSchema).max(1500),
});

const creditNoteSchema = z.object({
  issued_at: instantSchema,
  language: textSchema(8),
  printed: z.array(printedRowSchema).max(1500),
});

/** Why somebody did what needs a reason. */
const reasonSchema = textSchema(500).refine((reason) => reason.trim().length >= minReasonLength, {
  message: `At least ${minReasonLength} characters`,
});

/** What was counted, by method. */
const countedSchema = z.object({
  cash: nonNegativeAmountSchema,
  card: nonNegativeAmountSchema,
  insurance: nonNegativeAmountSchema,
  others: nonNegativeAmountSchema,
});

/** A fact is recorded as it stands: that a name has at least 3 characters is asked of forms. */
const patientSchema = z.object({
  patient_id: uuidSchema,
  name: textSchema(patientLimits.name).min(1),
  phone: textSchema(patientLimits.phone).optional(),
  known: z.boolean().optional(),
});

export const payloadSchemas = {
  'order.create': z.object({
    order_id: uuidSchema,
    number: numberSchema,
    order_type: orderTypeSchema,
    customer_name: nameSchema.optional(),
    patient: patientSchema.optional(),
    room_id: idSchema.optional(),
    room_number: textSchema(100).optional(),
    notes: notesSchema,
    items: linesSchema,
    currency: textSchema(8).min(1),
    service_charge: nonNegativeAmountSchema,
    discount: nonNegativeAmountSchema,
    discount_reason: textSchema(500).optional(),
    total: amountSchema,
  }),
  'order.add_services': z.object({ order_id: uuidSchema, items: linesSchema, notes: notesSchema }),
  'order.cancel': z.object({ order_id: uuidSchema, status: z.literal('cancelled'), notes: notesSchema }),
  'order.pay': z.object({
    order_id: uuidSchema,
    payment_id: uuidSchema,
    payment_method: z.enum(paymentMethods),
    amount: nonNegativeAmountSchema,
    tendered: nonNegativeAmountSchema,
    change: nonNegativeAmountSchema,
    reference_number: textSchema(100).optional(),
    invoice: invoiceSchema.optional(),
  }),
  'order.refund': z.object({
    order_id: uuidSchema,
    refund_id: uuidSchema,
    payment_method: z.enum(paymentMethods),
    amount: positiveAmountSchema,
    reason: reasonSchema,
    credit_note_number: numberSchema,
    line_ids: z.array(uuidSchema).max(1000).optional(),
    credit_note: creditNoteSchema.optional(),
  }),
  'stock.adjust': z.object({
    stock_id: idSchema,
    action: z.enum(['add', 'subtract', 'set']),
    amount: quantitySchema,
    notes: notesSchema,
  }),
  'drawer.open': z.object({ drawer_id: uuidSchema, float: nonNegativeAmountSchema }),
  'drawer.move': z.object({
    drawer_id: uuidSchema,
    direction: z.enum(['in', 'out']),
    amount: positiveAmountSchema,
    reason: reasonSchema,
  }),
  'drawer.close': z.object({ drawer_id: uuidSchema, counted: countedSchema, notes: notesSchema }),
  'operation.void': z.object({
    op_id: uuidSchema,
    reason: reasonSchema,
    voided: z
      .object({
        kind: z.enum(operationKinds).exclude(['operation.void']),
        number: numberSchema.optional(),
        amount: amountSchema.optional(),
      })
      .optional(),
  }),
} satisfies { [K in OperationKind]: z.ZodType<PayloadOf[K]> };

/** The envelope alone: enough to store a refusal under. The payload is judged by its kind afterwards. */
export const envelopeSchema = z.object({
  op_id: uuidSchema,
  device_id: idSchema,
  device_seq: z.number().int().positive(),
  aggregate: z.string().regex(/^((order|drawer):[0-9a-f-]{36}|stock:\d{1,10})$/),
  depends_on: z.array(uuidSchema).max(50),
  supersedes: uuidSchema.optional(),
  kind: z.enum(operationKinds),
  v: z.number().int().positive().max(largestInteger),
  payload: z.record(z.string(), z.unknown()),
  actor_id: idSchema,
  occurred_at: instantSchema,
  clock_offset_ms: z.number().int().min(-largestOffsetMs).max(largestOffsetMs).nullable(),
});

/** A batch is judged operation by operation; the outer shape only needs ids to answer to. */
export const batchSchema = z.object({
  operations: z
    .array(z.looseObject({ op_id: uuidSchema }))
    .min(1)
    .max(200),
});

export const loginSchema = z.object({ email: textSchema(320), password: z.string().max(1024) });

export const deviceSchema = z.object({
  device_id: idSchema.optional(),
  device_key: z.string().max(200).optional(),
  name: textSchema(100).optional(),
  code: textSchema(20).optional(),
  counters: z
    .object({
      treatment: z.number().int().min(0),
      invoice: z.number().int().min(0),
      credit_note: z.number().int().min(0),
    })
    .optional(),
});

/** A line that is asked for rather than agreed: the server looks up name and price. */
const requestedLineSchema = z.object({
  line_id: uuidSchema.optional(),
  stock_id: idSchema.optional(),
  product_id: idSchema.optional(),
  name: nameSchema.optional(),
  quantity: quantitySchema,
  unit_price: nonNegativeAmountSchema.optional(),
  notes: notesSchema,
});

const partialLines = z.array(requestedLineSchema).max(200);

/** The REST bodies: each payload with its facts optional. */
export const createOrderBodySchema = payloadSchemas['order.create']
  .partial()
  .extend({ items: partialLines.default([]) });
export const addServicesBodySchema = z.object({
  order_id: uuidSchema.optional(),
  items: partialLines,
  notes: notesSchema,
});
export const statusBodySchema = z.object({
  order_id: uuidSchema.optional(),
  status: z.enum(['pending', 'confirmed', 'preparing', 'ready', 'served', 'completed', 'cancelled']),
  notes: notesSchema,
});
export const payBodySchema = payloadSchemas['order.pay'].partial().extend({
  payment_method: z.enum(paymentMethods),
  amount: amountSchema,
});
export const refundBodySchema = payloadSchemas['order.refund'].partial().required({ amount: true, reason: true });
export const settleBodySchema = z.object({ reason: reasonSchema });
export const openDrawerBodySchema = payloadSchemas['drawer.open'].partial({ drawer_id: true });
export const moveMoneyBodySchema = payloadSchemas['drawer.move'].partial({ drawer_id: true });
export const closeDrawerBodySchema = payloadSchemas['drawer.close'].partial({ drawer_id: true });
