import { describe, expect, test } from 'vitest';
import { amountMinor, pressKey, proposeAmount } from '#src/tender/keypad.ts';
import type { KeypadKey } from '#src/tender/keypad.ts';

const typed = (dueMinor: number, ...keys: KeypadKey[]) => keys.reduce(pressKey, proposeAmount(dueMinor)).text;

describe('the cash keypad', () => {
  test('proposes the amount due', () => {
    expect(proposeAmount(4550)).toEqual({ text: '45,50', untouched: true });
  });

  test('never proposes a negative amount', () => {
    expect(proposeAmount(-100).text).toBe('0,00');
  });

  test('enters digits from the cents, and replaces the proposal with the first key', () => {
    expect(typed(4550, '5')).toBe('0,05');
    expect(typed(4550, '5', '0', '0', '0')).toBe('50,00');
  });

  test('enters two zeros with the key 00', () => {
    expect(typed(4550, '5', '0', '00')).toBe('50,00');
  });

  test('deletes the last digit, and clears an unchanged proposal', () => {
    expect(typed(4550, '1', '2', '3', 'back')).toBe('0,12');
    expect(typed(4550, 'back')).toBe('0,00');
  });

  test('ignores digits beyond the largest amount', () => {
    const full = typed(0, ...Array.from({ length: 13 }, (): KeypadKey => '9'));
    expect(full).toBe('99999999,99');
  });

  test('continues from an amount that was typed into the field', () => {
    expect(pressKey({ text: '12.5', untouched: false }, '3').text).toBe('125,03');
  });
});

describe('the amount field', () => {
  test.each([
    ['45.5', 4550],
    ['45,5', 4550],
    ['0', 0],
    [' 7 ', 700],
  ])('parses %j as %d minor units', (text, minor) => {
    expect(amountMinor(text)).toBe(minor);
  });

  test.each(['', '  ', '-1', 'abc', '1.2.3', 'Infinity'])('rejects %j', (text) => {
    expect(amountMinor(text)).toBeNull();
  });
});
