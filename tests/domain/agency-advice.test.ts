import { expect, test } from 'vitest';
import english from '#locales/en.json' with { type: 'json' };
import { adviceOn, agencyAdvice } from '#domain/fiscal/advice.ts';

test.each([
  ['rejected', 3000, 'duplicate'],
  ['rejected', 4102, 'schema'],
  ['accepted_with_errors', 2001, 'recipient'],
  ['rejected', 1104, 'rejected'],
  ['accepted_with_errors', 2999, 'errors'],
  ['rejected', null, 'rejected'],
] as const)('a record that is %s with the error %s has the advice %s', (state, code, advice) => {
  expect(adviceOn(state, code)).toBe(advice);
});

test('every advice has a text', () => {
  expect(Object.keys(english.fiscal.advice)).toEqual(agencyAdvice);
});
