/** The schemas of stock operations. */
import { z } from 'zod';
import { idSchema, notesSchema, quantitySchema } from '../wire/schemas.ts';

export const stockPayloadSchemas = {
  'stock.adjust': z.strictObject({
    stock_id: idSchema,
    action: z.enum(['add', 'subtract', 'set']),
    amount: quantitySchema,
    notes: notesSchema,
  }),
};
