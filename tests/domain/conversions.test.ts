import fc from 'fast-check';
import { expect, test } from 'vitest';
import { divideRounded, formatMinor, minorFromWire, minorToWire } from '#domain/money.ts';
import { milliFromWire, milliToWire } from '#domain/quantity.ts';
import { deviceCode } from '#domain/device.ts';
import { formatInteger, numberFormat } from '#domain/number-format.ts';
import { formatNumber, parseNumber, series } from '#domain/order/numbers.ts';
import { nameWords, searchKey, wordStarts } from '#domain/search-key.ts';
import { uuidV7 } from '#domain/uuid.ts';

const seeded = { seed: 20_260_512 };

test('serialization keeps an amount to the cent, and a quantity to the thousandth', () => {
  fc.assert(
    fc.property(fc.integer({ min: -1_000_000_000_000, max: 1_000_000_000_000 }), (minor) => {
      expect(minorFromWire(JSON.parse(JSON.stringify(minorToWire(minor))) as number)).toBe(minor);
    }),
    seeded,
  );
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 1_000_000_000 }), (milli) => {
      expect(milliFromWire(JSON.parse(JSON.stringify(milliToWire(milli))) as number)).toBe(milli);
    }),
    seeded,
  );
});

test('rounding is half away from zero and symmetrical', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: -1_000_000_000, max: 1_000_000_000 }),
      fc.integer({ min: 1, max: 100_000 }),
      (numerator, denominator) => {
        const rounded = divideRounded(numerator, denominator);
        expect(Math.abs(rounded * denominator - numerator) * 2).toBeLessThanOrEqual(denominator);
        expect(divideRounded(-numerator, denominator)).toBe(0 - rounded);
      },
    ),
    seeded,
  );
  expect([divideRounded(5, 10), divideRounded(-5, 10), divideRounded(4, 10)]).toEqual([1, -1, 0]);
});

test('amounts are formatted in the Spanish form, and any other value as zero', () => {
  expect(formatMinor(123_456_789)).toBe('EUR 1.234.567,89');
  expect([undefined, Number.NaN, '12'].map((amount) => formatMinor(amount))).toEqual([
    'EUR 0,00',
    'EUR 0,00',
    'EUR 0,00',
  ]);
});

test('amounts and integers have the form that the browser gives them', () => {
  const amounts = numberFormat({ minimumFractionDigits: 2 });
  const integers = numberFormat({ maximumFractionDigits: 0 });
  fc.assert(
    fc.property(fc.integer({ min: -1_000_000_000_000, max: 1_000_000_000_000 }), (value) => {
      expect(formatMinor(value)).toBe(`EUR ${amounts.format(value / 100)}`);
      expect(formatInteger(value)).toBe(integers.format(value));
    }),
    seeded,
  );
});

test('SYNC-12 numbers are parsed into their parts, and device codes are unique', () => {
  const codes = Array.from({ length: 1000 }, (_, n) => deviceCode(n));
  expect(new Set(codes).size).toBe(1000);
  fc.assert(
    fc.property(
      fc.constantFrom(...series),
      fc.constantFrom(...codes),
      fc.integer({ min: 1, max: 9_999_999 }),
      (of, code, count) => {
        expect(parseNumber(of, formatNumber(of, code, count))).toEqual({ code, count });
      },
    ),
    seeded,
  );
});

test('SYNC-1 ids made later sort later', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 2 ** 47 }), fc.uint8Array({ minLength: 10, maxLength: 10 }), (ms, random) => {
      const id = uuidV7(ms, random);
      expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
      expect(uuidV7(ms + 1, random) > id).toBe(true);
    }),
    seeded,
  );
});

test('names are found regardless of accents, case and spaces', () => {
  expect(searchKey('  Limpieza   Ortodóncica ')).toBe('limpieza ortodoncica');
  fc.assert(
    fc.property(fc.string(), (text) => {
      expect(searchKey(searchKey(text))).toBe(searchKey(text));
    }),
    seeded,
  );
});

test('a name is found by the beginning of each of its words', () => {
  expect(nameWords(' X-ray, 3D (Núñez)')).toEqual(['x', 'ray', '3d', 'nunez']);
  expect(wordStarts(searchKey('X-ray  (2 Teeth)'))).toEqual(['x-ray (2 teeth)', 'ray (2 teeth)', '2 teeth)', 'teeth)']);
  expect(wordStarts('')).toEqual([]);
  fc.assert(
    fc.property(fc.string(), (text) => {
      const starts = wordStarts(searchKey(text));
      const words = nameWords(text).slice(0, 12);
      expect(words.every((word) => starts.some((start) => start.startsWith(word.slice(0, 60))))).toBe(true);
    }),
    seeded,
  );
});
