import { expect, test } from 'vitest';
import { aDay, anId, oneOf, optional, readList, writeList } from '#src/lists/list-address.ts';

const defaults = {
  filters: { status: oneOf(['all', 'open', 'done']), kind: optional(['in', 'out']), person: anId, from: aDay },
  sort: { by: 'name', order: 'asc' as const },
  sorts: ['name', 'price'],
  size: 20,
};
const usual = {
  search: '',
  filters: { status: 'all', kind: '', person: '', from: '' },
  sort: defaults.sort,
  page: 1,
  size: 20,
};
const read = (text: string) => readList(new URLSearchParams(text), defaults);

test('reads back what it wrote, leaves out what is usual, and keeps what is not the list’s', () => {
  const list = {
    search: 'ana',
    filters: { status: 'open', kind: 'out', person: '7', from: '2026-03-01' },
    sort: { by: 'price', order: 'desc' },
    page: 3,
    size: 50,
  } as const;
  const written = writeList(new URLSearchParams('tab=log'), list, defaults);
  expect(written.toString()).toBe(
    'tab=log&q=ana&status=open&kind=out&person=7&from=2026-03-01&sort=-price&page=3&rows=50',
  );
  expect(readList(written, defaults)).toEqual(list);
  expect(writeList(written, read(''), defaults).toString()).toBe('tab=log');
});

test.each([
  '',
  'status=other',
  'kind=up',
  'person=0',
  'person=ana',
  'person=99999999999',
  'from=yesterday',
  'from=2026-13-01',
  'from=2026-03-01T00:00:00Z',
  'sort=secret',
  'sort=-',
  'sort=name;drop',
  'page=0',
  'page=-1',
  'page=x',
  'page=1e9',
  'rows=7',
  'rows=100000',
])('ignores what is not valid in %j', (text) => expect(read(text)).toEqual(usual));
