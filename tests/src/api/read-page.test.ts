import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { readPage } from '#src/api/read-page.ts';

const asked: string[] = [];
let replies: object[] = [];
beforeEach(() => {
  asked.length = 0;
  vi.stubGlobal('document', { documentElement: { lang: 'en' } });
  vi.stubGlobal('location', { href: 'http://127.0.0.1/' });
  vi.stubGlobal('fetch', async (input: Request) => {
    asked.push(new URL(input.url).search);
    return Response.json(replies.shift());
  });
});
afterEach(() => vi.unstubAllGlobals());

vi.mock('#src/api/client.ts', async () => {
  const { default: ky } = await import('ky');
  return { api: ky.create({ prefixUrl: 'http://127.0.0.1/api' }) };
});

const place = { total: 3, page: 1, per_page: 3, totalPages: 1 };

test('a page that the server cuts is read to its end, with each row once', async () => {
  replies = [
    { success: true, stocks: [1], pagination: { ...place, next_row: 1 } },
    { success: true, stocks: [2], pagination: { ...place, next_row: 2 } },
    { success: true, stocks: [3], pagination: place },
  ];
  const body = await readPage('stock', { searchParams: { page: 1, per_page: 3 } });
  expect(body).toEqual({ success: true, stocks: [1, 2, 3], pagination: place });
  expect(asked).toEqual(['?page=1&per_page=3', '?page=1&per_page=3&row=1', '?page=1&per_page=3&row=2']);
});

test('a page of a record with a list is read to its end too', async () => {
  replies = [
    { data: { name: 'Zoila', treatments: ['a'] }, pagination: { ...place, next_row: 1 } },
    { data: { name: 'Zoila', treatments: ['b', 'c'] }, pagination: place },
  ];
  const body = await readPage('patients/x', { searchParams: {} });
  expect(body).toEqual({ data: { name: 'Zoila', treatments: ['a', 'b', 'c'] }, pagination: place });
});

test('what has no pages is read once', async () => {
  replies = [{ data: { total: 1 } }];
  expect(await readPage('stats', { searchParams: {} })).toEqual({ data: { total: 1 } });
  expect(asked).toEqual(['']);
});
