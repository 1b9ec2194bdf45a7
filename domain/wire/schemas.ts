/**
 * The schemas of the wire's fields: ids, instants, text, money and quantities. The messages of their own checks are names
 * of sentences (`validation.*` in `locales/server`). Only the server and the tests load schemas:
 * the app builds well-formed requests by its types and does without zod.
 */
import { z } from 'zod';
import { maxMinor, maxMilli, textLimits } from '../limits.ts';
import { isReasonTooShort } from '../reason.ts';

/** The largest value of a PostgreSQL `integer`. */
export const largestInteger = 2_147_483_647;
export const idSchema = z.number().int().positive().max(largestInteger);
export const idParamSchema = z.coerce.number().int().positive().max(largestInteger);
/** Of what is numbered by a PostgreSQL `bigint`. */
export const longIdParamSchema = z.coerce.number().int().positive().max(Number.MAX_SAFE_INTEGER);
export const uuidSchema = z.uuid().transform((id) => id.toLowerCase());
/** PostgreSQL has no year 0 and limits the fraction. The range of years leaves room for devices whose clock is wrong. */
export const instantSchema = z.iso
  .datetime()
  .max(30)
  .refine((instant) => /^(19|2\d)\d\d-/.test(instant), { message: 'years' });

/** A month (`yyyy-mm`) of the same years. */
export const monthSchema = z.string().regex(/^(19|2\d)\d\d-(0[1-9]|1[0-2])$/);

/** PostgreSQL can't store NUL characters or lone surrogates. */
export const textSchema = (max: number) =>
  z
    .string()
    .max(max)
    .refine((text) => !text.includes('\u0000') && !/\p{Cs}/u.test(text), {
      message: 'unstorable',
    });

/** Returns a check that a number has at most this many decimals, within the precision of a double. */
export const hasPlaces = (places: number) => (value: number) =>
  Math.abs(value * 10 ** places - Math.round(value * 10 ** places)) < 1e-3;

/** Money: a decimal with two places. */
export const amountSchema = z
  .number()
  .min(-maxMinor / 100)
  .max(maxMinor / 100)
  .refine(hasPlaces(2), { message: 'twoDecimals' });
export const nonNegativeAmountSchema = amountSchema.refine((amount) => amount >= 0, {
  message: 'notNegative',
});
export const positiveAmountSchema = amountSchema.refine((amount) => amount > 0, { message: 'positive' });

/** A quantity: a decimal with three places. */
export const quantitySchema = z
  .number()
  .min(0)
  .max(maxMilli / 1000)
  .refine(hasPlaces(3), { message: 'threeDecimals' });

/** A document's number. */
export const numberSchema = textSchema(textLimits.number).min(1);
export const notesSchema = textSchema(textLimits.notes).optional();
export const nameSchema = textSchema(textLimits.name);
export const reasonSchema = textSchema(textLimits.reason).refine((reason) => !isReasonTooShort(reason), {
  message: 'reasonShort',
});

/** More values than any field of a record has: the lines of a long purchase order are two thousand. */
const mostSeenValues = 10_000;

/** Counts the values in a value of JSON, up to the limit. */
function isShort(value: unknown): boolean {
  const left = [value];
  for (let count = 1; left.length > 0; count += 1) {
    const next = left.pop();
    if (typeof next !== 'object' || next === null) continue;
    const parts: unknown[] = Object.values(next);
    if (count + left.length + parts.length > mostSeenValues) return false;
    left.push(...parts);
  }
  return true;
}

/**
 * The value of a field as it was shown. It is only compared, so nothing else is asked of it; the schema of zod for JSON tries each
 * kind of value at each level, which takes seconds for a megabyte.
 */
export const seenValueSchema = z.unknown().refine(isShort, { message: 'tooMany', params: { limit: mostSeenValues } });

/** What a screen showed of a record (`domain/seen.ts`). Of a field that a record has not, nothing can have been seen. */
export const seenSchema = z
  .record(z.string().max(64), seenValueSchema)
  .refine((seen) => Object.keys(seen).length <= 64, { message: 'tooMany', params: { limit: 64 } });

/** Lets a body name what its screen showed. */
export const seenField = { seen: seenSchema.optional() };

/** The body of a decision that says nothing else. */
export const decisionBodySchema = z.strictObject(seenField).nullish();

/** The payloads that schemas accept, by their kind. */
export type PayloadsOf<Schemas extends Record<string, z.ZodType>> = {
  [Kind in keyof Schemas]: z.output<Schemas[Kind]>;
};
