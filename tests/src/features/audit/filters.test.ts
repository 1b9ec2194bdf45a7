import { expect, test } from 'vitest';
import { filtersIn, noFilters, withFilters } from '../../../../src/features/audit/filters.ts';

const address = (text: string) => new URLSearchParams(text);

test('the filters of the log come back from the address as they went into it, beside what else it says', () => {
  const filters = { person: '7', group: 'drawer', device: '12', from: '2026-03-01', to: '2026-03-31' } as const;
  const written = withFilters(address('tab=log'), filters);
  expect(written.toString()).toBe('tab=log&person=7&group=drawer&device=12&from=2026-03-01&to=2026-03-31');
  expect(filtersIn(written)).toEqual(filters);
  expect(withFilters(written, { ...filters, group: '', to: '' }).toString()).toBe(
    'tab=log&person=7&device=12&from=2026-03-01',
  );
  expect(withFilters(written, noFilters).toString()).toBe('tab=log');
});

test.each([
  '',
  'person=0',
  'person=ana',
  'person=99999999999',
  'group=nothing',
  'device=-1',
  'from=yesterday',
  'to=2026-13-01',
  'from=2026-03-01T00:00:00Z',
])('an address that says %j narrows nothing', (text) => expect(filtersIn(address(text))).toEqual(noFilters));
