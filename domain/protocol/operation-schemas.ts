/** The schemas of the sync API: the envelope, the batch, the list that joins the payload schemas of all nouns, and the pull. */
import { dayMs } from '../durations.ts';
import { z } from 'zod';
import { drawerPayloadSchemas } from '../drawer/schemas.ts';
import { fiscalPayloadSchemas } from '../fiscal/schemas.ts';
import { orderPayloadSchemas } from '../order/schemas.ts';
import { patientPayloadSchemas } from '../patient/schemas.ts';
import { stockPayloadSchemas } from '../stock/schemas.ts';
import { maxBatchDependencies, maxDependencies } from '../limits.ts';
import { operationKinds } from './operations.ts';
import { maxProofLength } from './proof.ts';
import type { OperationKind, PayloadOf } from './operations.ts';
import {
  amountSchema,
  idSchema,
  instantSchema,
  largestInteger,
  numberSchema,
  reasonSchema,
  textSchema,
  uuidSchema,
} from '../wire/schemas.ts';
import { deletedParts, maxBatchOperations } from './sync.ts';

export const payloadSchemas = {
  ...orderPayloadSchemas,
  ...stockPayloadSchemas,
  ...drawerPayloadSchemas,
  ...fiscalPayloadSchemas,
  ...patientPayloadSchemas,
  'operation.void': z.strictObject({
    op_id: uuidSchema,
    reason: reasonSchema,
    voided: z
      .strictObject({
        kind: z.enum(operationKinds).exclude(['operation.void']),
        number: numberSchema.optional(),
        amount: amountSchema.optional(),
      })
      .optional(),
  }),
} satisfies { [Kind in OperationKind]: z.ZodType<PayloadOf[Kind]> };

/** Added to any valid instant, an offset of this much still gives a year of four digits. */
const largestOffsetMs = 900 * 365 * dayMs;

/** The envelope without its payload. It suffices to store a refusal; the payload is validated by its kind afterwards. */
export const envelopeSchema = z.object({
  op_id: uuidSchema,
  device_id: idSchema,
  device_seq: z.number().int().positive(),
  aggregate: z.string().regex(/^((order|drawer|patient):[0-9a-f-]{36}|stock:\d{1,10}|chain:[A-Z]{1,12}\d)$/),
  depends_on: z.array(uuidSchema).max(maxDependencies),
  supersedes: uuidSchema.optional(),
  kind: z.enum(operationKinds),
  v: z.number().int().positive().max(largestInteger),
  payload: z.record(z.string(), z.unknown()),
  actor_id: idSchema,
  occurred_at: instantSchema,
  clock_offset_ms: z.number().int().min(-largestOffsetMs).max(largestOffsetMs).nullable(),
  approval: z.object({ actor_id: idSchema, proof: z.string().max(maxProofLength) }).optional(),
  proof: z.string().max(maxProofLength).optional(),
});

/** The outer shape of a batch. Each operation is validated on its own, and its id is what the result names. */
export const batchSchema = z.strictObject({
  operations: z
    .array(z.looseObject({ op_id: uuidSchema }))
    .min(1)
    .max(maxBatchOperations)
    .refine((operations) => dependenciesOf(operations) <= maxBatchDependencies, {
      message: 'tooManyDependencies',
    }),
});

const dependenciesOf = (operations: readonly Record<string, unknown>[]): number =>
  operations.reduce((sum, { depends_on: ids }) => sum + (Array.isArray(ids) ? ids.length : 0), 0);

/**
 * What a device tells and asks with a pull, and with a batch. Not strict: a device with a newer app may say more than
 * this server knows, and must still read.
 */
export const changesQuerySchema = z.object({
  cursor: textSchema(4000).optional(),
  lacks: textSchema(40)
    .transform((text) => text.split(','))
    .pipe(z.array(z.enum(deletedParts)))
    .optional(),
  waiting: z.coerce.number().int().min(0).max(1_000_000).optional(),
  later: textSchema(40).optional(),
});
export type ChangesQuery = z.infer<typeof changesQuerySchema>;
