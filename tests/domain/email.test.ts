import { describe, expect, test } from 'vitest';
import { emailOf, lookOf } from '#domain/email.ts';

describe('an e-mail', () => {
  test.each([
    ['capitals', 'Ana@Clinic.TEST'],
    ['spaces around it', '  ana@clinic.test\t'],
    ['a zero-width space', 'a\u200Bna@clinic.test'],
    ['a zero-width joiner at the end', 'ana@clinic.test\u200D'],
    ['a soft hyphen', 'an\u00ADa@clinic.test'],
    ['a mark of direction', '\u202Eana@clinic.test'],
    ['a control character', 'ana\u0000@clinic.test'],
    ['wide letters', 'ａｎａ@clinic.test'],
  ])('is the same with %s', (_what, typed) => {
    expect(emailOf(typed)).toBe('ana@clinic.test');
  });

  test('is the same whether an accent is part of its letter or follows it', () => {
    expect(emailOf('jose\u0301@clinic.test')).toBe(emailOf('jos\u00E9@clinic.test'));
  });

  test.each([
    ['a Cyrillic a', 'аna@clinic.test'],
    ['Cyrillic letters throughout', 'аnа@сlіniс.tеѕt'],
    ['a Greek omicron and nu', 'aνa@clinic.test'],
    ['an i without a dot', 'ana@clınic.test'],
  ])('cannot be told from another by people with %s', (what, typed) => {
    expect(emailOf(typed)).not.toBe('ana@clinic.test');
    expect(lookOf(typed)).toBe(what.includes('nu') ? 'ava@clinic.test' : 'ana@clinic.test');
  });

  test('looks like no other that differs in a letter, a digit or an accent', () => {
    const looks = ['ana@clinic.test', 'ana1@clinic.test', 'aná@clinic.test', 'anna@clinic.test', 'ana@clinic.es'].map(
      lookOf,
    );
    expect(new Set(looks).size).toBe(5);
  });
});
