import { expect, test } from 'vitest';
import { noFilters, readFilters, withFilters } from '../../../../src/features/audit/filters.ts';

const search = (text: string) => new URLSearchParams(text);

test('reads back the filters it wrote to the query string and keeps the other parameters', () => {
  const filters = { person: '7', group: 'drawer', device: '12', from: '2026-03-01', to: '2026-03-31' } as const;
  const written = withFilters(search('tab=log'), filters);
  expect(written.toString()).toBe('tab=log&person=7&group=drawer&device=12&from=2026-03-01&to=2026-03-31');
  expect(readFilters(written)).toEqual(filters);
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
])('ignores the invalid filter in %j', (text) => expect(readFilters(search(text))).toEqual(noFilters));
