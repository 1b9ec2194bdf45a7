/** Texts that PostgreSQL does not store, in operations that are stored with their refusal. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { operationModules } from '#server/modules.ts';
import { parseOperation } from '#server/operations/incoming.ts';
import { OperationRegistry } from '#server/operations/registry.ts';
import { newId } from '#tests/support/unique.ts';

const registry = new OperationRegistry(operationModules);
const trusting = { proves: () => true, approves: () => true };

/** Parses an operation of an app, whose form is wrong in all versions. */
const parsed = (payload: unknown, v = 1) =>
  parseOperation(registry, trusting, { op_id: newId(), kind: 'order.create', v, payload }, Date.now());

/** Signs that are special in JSON, or that PostgreSQL does not store. */
const text = fc
  .array(fc.constantFrom('\\', 'u', '0', 'd', '8', '"', '\n', '\0', '\ud83d', '\ude00', 'a'), { maxLength: 40 })
  .map((signs) => signs.join(''));

test('an operation keeps its texts but for what PostgreSQL does not store', () => {
  const stored = (all: string) => all.replace(/[\0\p{Cs}]/gu, '\ufffd');
  fc.assert(
    fc.property(text, text, (name, notes) => {
      expect(parsed({ [name]: notes }).operation.payload).toEqual({ [stored(name)]: stored(notes) });
    }),
  );
});

/** Hanging is the fault: the time of a pattern that goes back from each place grows with the square of the run. */
test.each(['\\', '\\u', '\\\\u000', '\ud800', '0', ' ', 'a'])(
  'a run of %j holds nobody up',
  (sign) => {
    const notes = sign.repeat(60_000 / sign.length);
    expect(parsed({ notes })).toMatchObject({ malformed: { code: 'VALIDATION' } });
    expect(parsed({ notes }, 999)).toMatchObject({ operation: { v: 999 } });
  },
  5000,
);
