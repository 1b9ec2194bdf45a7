/** The schemas of tax on lines and documents. */
import { z } from 'zod';
import { isDay } from '../business-day.ts';
import { documentTypes } from './document.ts';
import type { TaxDocumentFields } from './document.ts';
import { maxCorrected, maxTaxes } from '../limits.ts';
import { amountSchema, hasPlaces, numberSchema, textSchema } from '../wire/schemas.ts';
import { countries, foreignIdTypes } from './recipient-id.ts';
import { exemptions } from './tax.ts';
import type { TaxPayload } from './wire.ts';

const exemptSchema = z.strictObject({ exempt: z.enum(exemptions) });
const ratedSchema = z.strictObject({
  rate: z.number().min(0).max(100).refine(hasPlaces(2), { message: 'twoDecimals' }),
});
export const taxSchema: z.ZodType<TaxPayload> = z.union([exemptSchema, ratedSchema]);

/** How a recipient without a Spanish NIF is identified. */
export const foreignIdFields = {
  id_type: z.enum(foreignIdTypes).optional(),
  country: z
    .string()
    .refine((code) => countries.includes(code), { message: 'country' })
    .optional(),
};

const amounts = { base: amountSchema, tax: amountSchema, gross: amountSchema };
const daySchema = z.string().refine(isDay, { message: 'date' });
const namedDocumentSchema = z.strictObject({ number: numberSchema, issued_on: daySchema });
const partySchema = {
  tax_id: textSchema(20),
  address: textSchema(200),
  postal_code: textSchema(20),
  city: textSchema(100),
};
export const recipientSchema = z.strictObject({ name: textSchema(200), ...partySchema, ...foreignIdFields });

export const taxDocumentFields = {
  document_type: z.enum(documentTypes).optional(),
  tax_totals: z
    .array(z.union([exemptSchema.extend(amounts), ratedSchema.extend(amounts)]))
    .max(maxTaxes)
    .optional(),
  issuer: z.strictObject({ legal_name: textSchema(200), ...partySchema }).optional(),
  recipient: recipientSchema.optional(),
  corrects: z.array(namedDocumentSchema).max(maxCorrected).optional(),
  replaces: namedDocumentSchema.optional(),
  operation_on: daySchema.optional(),
} satisfies { [Field in keyof TaxDocumentFields]-?: z.ZodType<TaxDocumentFields[Field]> };
