/** The body of a request that changes a record: the fields that change, and what its screen showed of them. */
import { z } from 'zod';
import type { Seen } from '#domain/seen.ts';
import { seenValueSchema } from '#domain/wire/schemas.ts';

/**
 * Adds to the fields that a change may set what was seen of them, as the record's resource has it. `WriteCall.record` of the
 * route compares it with what is stored.
 */
export const changeBody = <Shape extends z.core.$ZodLooseShape, Config extends z.core.$ZodObjectConfig>(
  fields: z.ZodObject<Shape, Config>,
) => fields.extend({ seen: seenOf(Object.keys(fields.shape)).optional() });

const seenOf = (names: readonly string[]) =>
  z.strictObject(Object.fromEntries(names.map((name) => [name, seenValueSchema.optional()])));

/** Returns what a change sets, without what was seen. */
export function changesIn<Body extends { seen?: Seen | undefined }>({
  seen: _seen,
  ...changes
}: Body): Omit<Body, 'seen'> {
  return changes;
}
