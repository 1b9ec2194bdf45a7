import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { amountForm, percentForm, quantityForm, readDecimal, wholeForm, writeDecimal } from '#domain/decimal.ts';
import type { DecimalForm } from '#domain/decimal.ts';
import { numberFormat } from '#domain/number-format.ts';
import { formatMinor } from '#domain/money.ts';

const seeded = { seed: 20_261_122 };

describe('a typed amount', () => {
  test.each([
    ['20,50', 2050],
    ['20.50', 2050],
    ['20,5', 2050],
    ['20.', 2000],
    [',5', 50],
    ['.50', 50],
    ['2050', 205_000],
    ['1.234', 123_400],
    ['1.200', 120_000],
    ['20.500', 2_050_000],
    ['1234.5', 123_450],
    ['1.234,50', 123_450],
    ['1,234.50', 123_450],
    ['1.234.567', 123_456_700],
    ['1,234,567.8', 123_456_780],
    ['1 234,50', 123_450],
    ["1'234.50", 123_450],
    ['1 234 567', 123_456_700],
    ['1234.50', 123_450],
    ['EUR 3.804,70', 380_470],
    ['20 €', 2000],
    ['12,50 €', 1250],
    ['€12,50', 1250],
    ['12,50\u00A0€', 1250],
    ['EUR 12,50', 1250],
    ['EUR\u202F1.234,50', 123_450],
    ['1\u00A0234,50', 123_450],
    ['\uFF11\uFF12\uFF0C\uFF15\uFF10', 1250],
    ['\u3000\uFF11\uFF0E\uFF12\uFF10\uFF10\u3000', 120_000],
    ['Rs 20', 2000],
    [' 007 ', 700],
    ['-12,50', -1250],
    ['-0', 0],
    ['', null],
    ['  ', null],
  ])('“%s” is %d cents', (text, scaled) => {
    expect(readDecimal(text, amountForm)).toEqual({ scaled });
  });

  test.each([
    ['abc', 'NUMBER_INVALID'],
    [',', 'NUMBER_INVALID'],
    ['12-3', 'NUMBER_INVALID'],
    ['1,2,3', 'NUMBER_INVALID'],
    ['1.23.456', 'NUMBER_INVALID'],
    ['1234.567,89', 'NUMBER_INVALID'],
    ['1.234,567,8', 'NUMBER_INVALID'],
    ['0.123.456', 'NUMBER_INVALID'],
    ['1e3', 'NUMBER_INVALID'],
    ['1.234,505', 'NUMBER_TOO_FINE'],
    ['1234,505', 'NUMBER_TOO_FINE'],
    ['0,505', 'NUMBER_TOO_FINE'],
    ['12,345', 'NUMBER_TOO_FINE'],
    ['12,000', 'NUMBER_TOO_FINE'],
    ['1,200', 'NUMBER_TOO_FINE'],
    ['20,5000', 'NUMBER_TOO_FINE'],
    ['0.500', 'NUMBER_TOO_FINE'],
    ['1234.500', 'NUMBER_TOO_FINE'],
    ['1\t234', 'NUMBER_INVALID'],
    ['10²', 'NUMBER_INVALID'],
    ['½', 'NUMBER_INVALID'],
    ['99999999999999999', 'NUMBER_TOO_LARGE'],
  ])('“%s” is refused with %s', (text, fault) => {
    expect(readDecimal(text, amountForm).fault).toBe(fault);
  });
});

describe('one mark with three digits or more behind it', () => {
  test.each<[string, DecimalForm, string, ReturnType<typeof readDecimal>]>([
    ['an amount', amountForm, '1.234', { scaled: 123_400 }],
    ['an amount', amountForm, '1,234', { fault: 'NUMBER_TOO_FINE' }],
    ['a percentage', percentForm, '1.234', { scaled: 123_400 }],
    ['a whole number', wholeForm, '1.234', { scaled: 1234 }],
    ['a whole number', wholeForm, '1,234', { fault: 'NUMBER_NOT_WHOLE' }],
    ['a quantity', quantityForm, '1.234', { scaled: 1_234_000 }],
    ['a quantity', quantityForm, '12,345', { scaled: 12_345 }],
    ['a quantity', quantityForm, '0.234', { scaled: 234 }],
    ['a quantity', quantityForm, '1.234,5', { scaled: 1_234_500 }],
    ['a quantity', quantityForm, '1234.5', { scaled: 1_234_500 }],
    ['a quantity', quantityForm, '1234.567', { scaled: 1_234_567 }],
    ['a quantity', quantityForm, '1,2345', { fault: 'NUMBER_TOO_FINE' }],
    ['a quantity', quantityForm, '0.0001', { fault: 'NUMBER_TOO_FINE' }],
    ['a quantity', quantityForm, '1.2345', { fault: 'NUMBER_TOO_FINE' }],
    ['a quantity', quantityForm, '0.000.1', { fault: 'NUMBER_INVALID' }],
  ])('in %s (%o): %s', (_name, form, text, reading) => {
    expect(readDecimal(text, form)).toEqual(reading);
  });
});

test.each(['1,5', '30,0', '12,000', '1.5'])('a whole number is not written as %s', (text) => {
  expect(readDecimal(text, wholeForm)).toEqual({ fault: 'NUMBER_NOT_WHOLE' });
});

test('a long text is no number, and is not searched for one', () => {
  // Expressions that look at the rest from every place would take hours.
  for (const filler of [' ', ',', '0', '\u00A0', 'A'])
    expect(readDecimal(`1${filler.repeat(2_000_000)}1`, amountForm)).toEqual({ fault: 'NUMBER_INVALID' });
});

const forms = fc.constantFrom(amountForm, percentForm, wholeForm, quantityForm);

test('a written number reads as itself, in a field and as formatted', () => {
  fc.assert(
    fc.property(forms, fc.integer({ min: -10_000_000_000, max: 10_000_000_000 }), (form, scaled) => {
      expect(readDecimal(writeDecimal(scaled, form), form)).toEqual({ scaled });
    }),
    seeded,
  );
  fc.assert(
    fc.property(fc.integer({ min: -10_000_000_000, max: 10_000_000_000 }), (minor) => {
      expect(readDecimal(formatMinor(minor), amountForm)).toEqual({ scaled: minor });
      const english = new Intl.NumberFormat('en', { minimumFractionDigits: 2 }).format(minor / 100);
      expect(readDecimal(english, amountForm)).toEqual({ scaled: minor });
    }),
    seeded,
  );
});

test('any text is read as a whole number of the last decimal, or refused', () => {
  const typed = fc.string({ unit: fc.constantFrom(...Array.from('0123456789.,-  €')), maxLength: 12 });
  fc.assert(
    fc.property(forms, typed, (form, text) => {
      const { scaled, fault } = readDecimal(text, form);
      if (fault === undefined) expect(scaled === null || Number.isSafeInteger(scaled)).toBe(true);
      else expect(scaled).toBeUndefined();
      if (typeof scaled === 'number') expect(readDecimal(writeDecimal(scaled, form), form)).toEqual({ scaled });
    }),
    { ...seeded, numRuns: 2000 },
  );
});

test('numbers are grouped from four digits on', () => {
  expect([1108, 999, 1_234_567.5].map((value) => numberFormat().format(value))).toEqual([
    '1.108',
    '999',
    '1.234.567,5',
  ]);
  expect([105_000, 99_999, -105_000].map((minor) => formatMinor(minor))).toEqual([
    'EUR 1.050,00',
    'EUR 999,99',
    'EUR -1.050,00',
  ]);
});

test('a field is left empty for what is no number', () => {
  expect(writeDecimal(Number.NaN, amountForm)).toBe('');
});
