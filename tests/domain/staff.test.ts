import { describe, expect, test } from 'vitest';
import { passwordProblem } from '#domain/staff/decisions.ts';

describe('SECURITY a password', () => {
  test('may be any text of 6 to 200 characters', () => {
    expect(passwordProblem('muela')).toBe('PASSWORD_SHORT');
    for (const password of ['muelas', 'зуб 🦷 зуб', ' '.repeat(6), 'x'.repeat(64), 'x'.repeat(200)])
      expect(passwordProblem(password)).toBeUndefined();
    expect(passwordProblem('x'.repeat(201))).toBe('TOO_LONG');
  });
});
