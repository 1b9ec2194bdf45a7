import { expect, test } from 'vitest';
import { mutantsOf } from '../mutants/mutants.ts';

const changes = (source: string) => mutantsOf('a.tsx', source).map(({ from, to }) => `${from}>${to}`);

test('a mutant changes one operator, negation or boolean', () => {
  expect(changes('export const a = (b: number) => (b < 3 && !c ? true : b + 1);')).toEqual([
    '<><=',
    '&&>||',
    '!>',
    'true>false',
    '+>-',
  ]);
});

test('types and other operators have no mutant', () => {
  expect(changes('type A = { is: true }; const a = b as true; const c = d % 2; const e = -f;')).toEqual([]);
});

test('a mutant that is no program is left out', () => {
  expect(changes('const a = b ?? c;')).toEqual(['??>&&']);
  expect(changes('const a = b ?? c ?? d;')).toEqual([]);
});

test('a mutant lies where its operator stands, after a comment that holds the same text', () => {
  const source = 'const a = b /* < */ < c;';
  const [mutant] = mutantsOf('a.ts', source);
  expect(mutant).toMatchObject({ line: 1, start: source.lastIndexOf('<'), from: '<' });
});
