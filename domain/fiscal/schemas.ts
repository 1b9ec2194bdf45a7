/** The schema of the records of tablets. It bounds every text by what the tax agency takes. */
import { z } from 'zod';
import { maxCorrected, maxMinor, maxTaxes } from '../limits.ts';
import { documentTypes } from '../tax/document.ts';
import { largestInteger, uuidSchema } from '../wire/schemas.ts';
import { foreignIdFields } from '../tax/schemas.ts';
import type { FiscalPayloads } from './operations.ts';
import { fieldLimits, fiscalText } from './record.ts';

/** A text as records hold it. One with other characters would spoil the message with all records of its call. */
const wordsSchema = (max: number) =>
  z.string().refine((text) => fiscalText(text, max) === text, { message: 'unstorable' });
const nameSchema = wordsSchema(fieldLimits.name);
const taxIdSchema = wordsSchema(20);

const digestSchema = z.string().regex(/^[0-9A-F]{64}$/);
const daySchema = z.string().regex(/^\d{2}-\d{2}-\d{4}$/);
/** An amount has the bounds of those in the document. */
const decimalSchema = z
  .string()
  .regex(/^-?\d{1,12}\.\d{2}$/)
  .refine((text) => Math.abs(Number(text)) <= maxMinor / 100, {
    message: 'tooHigh',
    params: { limit: maxMinor / 100 },
  });
const generatedSchema = z.string().regex(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}[+-]\d{2}:\d{2}$/);

const document = { number: wordsSchema(40).min(1), issued_on: daySchema };
const documentsSchema = (most: number) => z.array(z.strictObject(document)).min(1).max(most);

const breakdownSchema = z.union([
  z.strictObject({ exempt: wordsSchema(2), base: decimalSchema }),
  z.strictObject({ rate: z.string().regex(/^\d{1,3}\.\d{2}$/), base: decimalSchema, tax: decimalSchema }),
]);

const issueFieldsSchema = z.strictObject({
  ...document,
  issuer: taxIdSchema,
  issuer_name: nameSchema,
  generated_at: generatedSchema,
  type: z.enum(documentTypes),
  corrects: documentsSchema(maxCorrected).optional(),
  // A full invoice is in exchange for one simplified invoice.
  replaces: documentsSchema(1).optional(),
  operation_on: daySchema.optional(),
  description: wordsSchema(fieldLimits.description),
  recipient: z.strictObject({ name: nameSchema, tax_id: taxIdSchema, ...foreignIdFields }).optional(),
  breakdown: z.array(breakdownSchema).max(maxTaxes),
  tax_total: decimalSchema,
  total: decimalSchema,
});

const place = {
  chain: z.string().regex(/^[A-Z]{1,12}\d$/),
  sequence: z.number().int().positive().max(largestInteger),
  document_op_id: uuidSchema,
  previous: z.strictObject({ ...document, hash: digestSchema, seal: digestSchema }).nullable(),
  hash: digestSchema,
  seal: digestSchema,
};

export const fiscalPayloadSchemas = {
  // Only the server cancels: a tablet prints no document of a cancellation.
  'fiscal.record': z.strictObject({ ...place, type: z.literal('issue'), fields: issueFieldsSchema }),
} satisfies { [Kind in keyof FiscalPayloads]: z.ZodType<FiscalPayloads[Kind]> };
