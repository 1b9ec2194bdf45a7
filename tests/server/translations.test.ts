import { describe, expect, test } from 'vitest';
import { reportWords, taxText } from '#server/translations.ts';

describe('the words of a report', () => {
  const day = { period: 'today', comparison: 'before', today: '2027-03-10' } as const;
  const yesterday = { ...day, span: { start: '2027-03-09', end: '2027-03-09' } };
  const monday = { ...day, span: { start: '2027-03-08', end: '2027-03-08' } };

  test.each([
    ['en', yesterday, 12.34, /^\+12.3\s?% vs yesterday$/],
    ['en', monday, -5, /^-5.0\s?% vs Monday$/],
    ['en', monday, null, /^New: nothing on Monday$/],
    ['sp', monday, null, /lunes/],
    ['sp', monday, 0, /^0,0\s?% .*lunes$/],
  ] as const)('say in %s what a day is compared with (%#)', (language, compared, value, words) => {
    expect(reportWords[language].comparison(value, compared)).toMatch(words);
  });

  test('say that a value is new where there was none', () => {
    expect([reportWords.en.percentage(null), reportWords.sp.percentage(null)]).not.toContain('0,0 %');
    expect(reportWords.en.percentage(null)).toBe('New');
  });
});

test('the text of a tax has its rate, or the reason of the exemption', () => {
  expect(taxText({ rate: 21 }, 'en')).toMatch(/21/);
  expect(taxText({ exempt: 'E1' }, 'en')).toMatch(/\(E1\)$/);
});
