import { describe, expect, test } from 'vitest';
import { codePrefix, deviceCode, isServerCode, serverCode, serverDeviceCode } from '#domain/device.ts';
import { issuingSettings, taxpayerOf } from '#domain/fiscal/taxpayer.ts';
import { codeOfNumber, formatNumber, parseNumber, series } from '#domain/order/numbers.ts';
import { defaultSettings } from '#domain/settings/settings.ts';

describe('the codes of a taxpayer', () => {
  test('of devices and of servers differ for all places of a sequence, and fit into numbers', () => {
    let next = 0;
    const prefix = codePrefix((limit) => (next += 7) % limit);
    expect(prefix).toMatch(/^[A-HJ-NP-Z]{3}$/);
    const codes = Array.from({ length: 6000 }, (_, place) => [deviceCode(place), serverCode(place)])
      .flat()
      .map((code) => `${prefix}${code}`);
    expect(new Set(codes).size).toBe(codes.length);
    for (const code of codes.slice(-2))
      for (const of of series) {
        const number = formatNumber(of, code, 12);
        expect(parseNumber(of, number)).toEqual({ code, count: 12 });
        expect(codeOfNumber(number)).toBe(code);
      }
  });

  test('of servers alone end with the digit 0', () => {
    expect([serverCode(0), serverCode(24), serverDeviceCode].every(isServerCode)).toBe(true);
    expect(Array.from({ length: 100 }, (_, place) => deviceCode(place)).some(isServerCode)).toBe(false);
  });
});

describe('a device', () => {
  const spain = { ...defaultSettings, tax_profile: 'ES' as const, tax_id: 'B65410011' };

  test.each([
    ['a code of its clinic only', null],
    ['no word about its code', undefined],
    ['a code of another taxpayer', 'A58818501'],
  ])('with %s issues documents as without the tax profile', (_, grantedFor) => {
    expect(issuingSettings(spain, grantedFor)).toEqual({ ...spain, tax_profile: 'none' });
  });

  test("with a code of the clinic's taxpayer issues them by the profile", () => {
    expect(issuingSettings(spain, spain.tax_id)).toBe(spain);
    expect(issuingSettings(defaultSettings, spain.tax_id)).toBe(defaultSettings);
    expect([taxpayerOf(spain), taxpayerOf({ ...spain, tax_profile: 'none' })]).toEqual([spain.tax_id, null]);
  });
});
