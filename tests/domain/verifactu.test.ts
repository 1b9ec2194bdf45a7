import { expect, test } from 'vitest';
import { boundSince } from '#domain/settings/obligation.ts';
import { announcedEnd, isSentOn, verifactuChangeProblems, verifactuProblems } from '#domain/settings/verifactu.ts';
import { settingsProblems } from '#domain/settings/rules.ts';
import { defaultSettings } from '#domain/settings/settings.ts';

const settings = { ...defaultSettings, tax_profile: 'ES' as const, postal_code: '28001' };
const period = (verifactu_since: string, verifactu_until = '') => ({ verifactu_since, verifactu_until });

test.each([
  [period(''), {}],
  [period('2027-07-01'), {}],
  [period('2027-07-01', '2027-12-31'), {}],
  [period('2027-02-30'), { verifactu_since: 'VERIFACTU_DAY' }],
  [{ ...period('2027-07-01'), tax_profile: 'none' as const }, { verifactu_since: 'VERIFACTU_PROFILE' }],
  [{ ...period('2027-07-01'), postal_code: '01001' }, { verifactu_since: 'VERIFACTU_BASQUE' }],
  [{ ...period('2027-07-01'), postal_code: '48009' }, { verifactu_since: 'VERIFACTU_BASQUE' }],
  [{ ...period('2027-07-01'), postal_code: '20001' }, { verifactu_since: 'VERIFACTU_BASQUE' }],
  [{ ...period('2027-07-01'), postal_code: '31001' }, {}],
  [period('2027-07-01', '2027-11-30'), { verifactu_until: 'VERIFACTU_YEAR_END' }],
  [period('2027-07-01', '2026-12-31'), { verifactu_until: 'VERIFACTU_YEAR_END' }],
  [period('', '2027-12-31'), { verifactu_until: 'VERIFACTU_YEAR_END' }],
])('the settings %j', (changes, problems) => {
  expect(verifactuProblems({ ...settings, ...changes })).toEqual(problems);
});

test.each([
  ['35001', 'TAX_PROFILE_NO_VAT'],
  ['38001', 'TAX_PROFILE_NO_VAT'],
  ['51001', 'TAX_PROFILE_NO_VAT'],
  ['52001', 'TAX_PROFILE_NO_VAT'],
  ['28001', undefined],
  ['31001', undefined],
  ['48009', undefined],
])('a clinic at %s takes the profile: %s', (postal_code, problem) => {
  expect(settingsProblems({ ...settings, postal_code }).tax_profile).toBe(problem);
  expect(settingsProblems({ ...settings, postal_code, tax_profile: 'none' }).tax_profile).toBeUndefined();
});

const rate = (percent: number, from: string, ...more: { from: string; percent: number }[]) => [
  { code: 'reduced' as const, rates: [{ from, percent }, ...more] },
];
test.each([
  [rate(21, '2012-09-01'), undefined],
  [rate(0, '2025-01-01'), undefined],
  [rate(23, '2026-01-01'), 'TAX_RATES_ILLEGAL'],
  [rate(21, '2012-08-31'), 'TAX_RATES_ILLEGAL'],
  [rate(5, '2024-01-01'), 'TAX_RATES_ILLEGAL'],
  [rate(5, '2024-01-01', { from: '2024-10-01', percent: 7.5 }), 'TAX_RATES_ILLEGAL'],
  [rate(5, '2024-01-01', { from: '2024-10-01', percent: 7.5 }, { from: '2025-01-01', percent: 10 }), undefined],
  [rate(5, '2024-01-01', { from: '2024-10-02', percent: 10 }), 'TAX_RATES_ILLEGAL'],
])('the rates %j are law: %s', (tax_rates, problem) => {
  expect(settingsProblems({ ...settings, tax_rates }).tax_rates).toBe(problem);
  expect(settingsProblems({ ...settings, tax_rates, tax_profile: 'none' }).tax_rates).toBeUndefined();
});

const today = '2027-09-15';
test.each([
  ['begins today', period(''), period(today), {}],
  ['begins in the past', period(''), period('2027-09-14'), { verifactu_since: 'VERIFACTU_PAST' }],
  ['is put off before it begins', period('2028-01-01'), period('2028-07-01'), {}],
  ['is given up before it begins', period('2028-01-01'), period(''), {}],
  ['is given up within the year', period('2027-07-01'), period(''), { verifactu_since: 'VERIFACTU_YEAR_END' }],
  ['ends with the year', period('2027-07-01'), period('2027-07-01', '2027-12-31'), {}],
  ['goes on after all', period('2027-07-01', '2027-12-31'), period('2027-07-01'), {}],
  [
    'ends with a year that is over',
    period('2026-07-01'),
    period('2026-07-01', '2026-12-31'),
    { verifactu_until: 'VERIFACTU_YEAR_END' },
  ],
  [
    'goes on as if it had never ended',
    period('2026-07-01', '2026-12-31'),
    period('2026-07-01'),
    { verifactu_until: 'VERIFACTU_YEAR_END' },
  ],
  ['begins anew after its end', period('2026-07-01', '2026-12-31'), period('2027-10-01'), {}],
  ['is forgotten after its end', period('2026-07-01', '2026-12-31'), period(''), {}],
])('VERI*FACTU %s', (_title, before, after, problems) => {
  expect(verifactuChangeProblems(before, after, today)).toEqual(problems);
});

test('records are sent from the first day to the last', () => {
  const year = period('2027-07-01', '2027-12-31');
  const days = ['2027-06-30', '2027-07-01', '2027-12-31', '2028-01-01'];
  expect(days.map((day) => isSentOn(year, day))).toEqual([false, true, true, false]);
  expect(isSentOn(period(''), today)).toBe(false);
  expect(isSentOn(period('2027-07-01'), '2030-01-01')).toBe(true);
});

const company = { tax_profile: 'ES' as const, tax_id: 'B65410011', postal_code: '28001', books_by_sii: false };
const person = { ...company, tax_id: '12345678Z' };

test.each([
  [company, '2027-01-01'],
  [person, '2027-07-01'],
  [{ ...person, tax_id: 'X1234567L' }, '2027-07-01'],
  [{ ...company, postal_code: '48009' }, null],
  [{ ...company, postal_code: '31001' }, null],
  [{ ...company, tax_profile: 'none' as const }, null],
  [{ ...company, tax_id: '' }, null],
  [{ ...company, books_by_sii: true }, null],
])('%j is bound from %s on', (settings_, day) => {
  expect(boundSince(settings_)).toBe(day);
});

test('whoever is bound issues nothing outside VERI*FACTU: what follows an end is sent all the same', () => {
  const ended = (until: string) => period('2026-07-01', until);
  for (const [bound, day] of [
    [company, '2027-01-01'],
    [person, '2027-07-01'],
  ] as const) {
    expect(isSentOn({ ...ended('2026-12-31'), ...bound }, day)).toBe(true);
    expect(isSentOn({ ...ended('2026-12-31'), ...bound }, '2030-01-01')).toBe(true);
  }
  expect(isSentOn({ ...ended('2026-12-31'), ...person }, '2027-06-30')).toBe(false);
  expect(isSentOn({ ...ended('2026-12-31'), ...company, postal_code: '48009' }, '2027-01-01')).toBe(false);
});

test.each([
  ['forgets its days', period('2026-07-01', '2026-12-31'), period(''), 'VERIFACTU_BOUND'],
  ['begins later', period('2026-07-01', '2026-12-31'), period('2027-10-01'), 'VERIFACTU_BOUND'],
  ['begins anew today', period('2026-07-01', '2026-12-31'), period(today), undefined],
  ['begins for the first time, late', period(''), period('2027-10-01'), undefined],
])('a clinic that is bound and %s', (_title, before, after, problem) => {
  const problems = verifactuChangeProblems({ ...before, ...company }, { ...after, ...company }, today);
  expect(problems.verifactu_since).toBe(problem);
});

test('the agency is told of the end all December, and it is not taken back then', () => {
  const leaving = period('2027-07-01', '2027-12-31');
  const days = ['2027-11-30', '2027-12-01', '2027-12-31', '2028-01-01'];
  expect(days.map((day) => announcedEnd(leaving, day))).toEqual([null, '2027-12-31', '2027-12-31', null]);
  expect(announcedEnd(period('2027-07-01'), '2027-12-31')).toBeNull();
  const stays = period('2027-07-01');
  expect(verifactuChangeProblems(leaving, stays, '2027-11-30')).toEqual({});
  expect(verifactuChangeProblems(leaving, stays, '2027-12-01')).toEqual({ verifactu_until: 'VERIFACTU_ANNOUNCED' });
  expect(verifactuChangeProblems(leaving, leaving, '2027-12-31')).toEqual({});
  expect(verifactuChangeProblems(stays, leaving, '2027-12-31')).toEqual({});
});
