import { expect, test } from 'vitest';
import { requestOf } from '#src/server-data/pending-request.ts';

const before = { received: 0 };
const now = { received: 5 };

test('a retry of the same decision has its key and says what was seen when it was first sent', () => {
  const lost = requestOf({ quantity: 5, seen: before }, undefined, true);
  expect(lost.seen).toBe(before);
  expect(requestOf({ quantity: 5, seen: now }, lost, true)).toBe(lost);
});

test('another decision after a lost reply says what was seen before the lost one', () => {
  const lost = requestOf({ quantity: 5, seen: before }, undefined, true);
  const edited = requestOf({ quantity: 4, seen: now }, lost, true);
  expect(edited.key).not.toBe(lost.key);
  expect(edited.seen).toBe(before);
});

test('a decision on another record says what was seen of that one', () => {
  const lost = requestOf({ id: 1, seen: before }, undefined, false);
  expect(requestOf({ id: 2, seen: now }, lost, false).seen).toBe(now);
});

test('a request that is no decision says nothing that was seen', () => {
  expect(requestOf({ name: 'Gloves' }, { request: '{}', key: 'k', seen: before }, true).seen).toBeUndefined();
  expect(requestOf(null, undefined, true)).toMatchObject({ request: 'null', seen: undefined });
});
