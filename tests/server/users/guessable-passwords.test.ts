import { expect, test } from 'vitest';
import list from '#server/modules/users/common-passwords.json' with { type: 'json' };
import { guessableProblem } from '#server/modules/users/guessable-passwords.ts';

const owner = { name: 'Lucía Ferrer', email: 'l.ferrer77@clinica-luz.test', clinic: ['Clínica Dental Luz'] };
const problemOf = (password: string) => guessableProblem(password, owner);

test('the list has 10,000 passwords of at least 6 characters, and names its source and licence', () => {
  expect(new Set(list.passwords).size).toBe(10_000);
  expect(list.passwords.filter((password) => password.length < 6)).toEqual([]);
  expect(list.source).toContain('@zxcvbn-ts/language-common');
  expect(list.licence).toMatch(/^MIT\. Copyright/);
});

test.each([
  '123456',
  'PASSWORD1',
  'Qwerty',
  'trustno1',
  'liverpool',
  list.passwords.at(-1)!,
  'Dental123',
  'contraseña',
  'Dentista2026!',
  'demo-admin',
  'sunshine99',
  'aaaaaaaa',
  '7777777',
])('refuses the common password %s', (password) => {
  expect(problemOf(password)).toBe('PASSWORD_COMMON');
});

test.each([
  'Lucía',
  'lucia2026',
  'FERRER!',
  'luciaferrer',
  'l.ferrer77',
  'l.ferrer77@clinica-luz.test',
  'clinicaluz',
  'ClínicaDentalLuz1',
  'Dental Luz',
])('refuses the personal password %s', (password) => {
  expect(problemOf(password)).toBe('PASSWORD_PERSONAL');
});

test.each(['muelas de leche', 'зуб 🦷 зуб', 'Lucía vive en Málaga', 'dragon-1984-horse', '4729monkey8213'])(
  'accepts %s',
  (password) => {
    expect(problemOf(password)).toBeUndefined();
  },
);
