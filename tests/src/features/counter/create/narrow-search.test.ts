import { describe, expect, test } from 'vitest';
import type { CatalogueItem } from '../../../../../src/db/database.ts';
import { narrowSearch } from '../../../../../src/features/counter/create/narrow-search.ts';
import type { Search, SearchResult } from '../../../../../src/features/counter/create/narrow-search.ts';

const search = (text: string, changes: Partial<Search> = {}): Search => ({
  text,
  categoryId: null,
  limit: 48,
  ...changes,
});
const item = (name: string) => ({ key: name, name, search_key: name }) as CatalogueItem;
const services = (prefix: string, count: number) =>
  Array.from({ length: count }, (_, index) => item(`${prefix} ${100 + index}`));
const names = (items: CatalogueItem[] | null) => items?.map(({ name }) => name);

describe('narrowing a search result', () => {
  test('returns all matches of a complete result', () => {
    const result: SearchResult = { search: search('cr'), items: [item('cream'), item('crown'), item('crown post')] };
    expect(names(narrowSearch(result, search('Cró')))).toEqual(['crown', 'crown post']);
    expect(narrowSearch(result, search('crz'))).toEqual([]);
  });

  test('returns the matches of a cut-off result only when they fill a screen', () => {
    const result: SearchResult = { search: search('i'), items: [...services('icon', 11), ...services('implant', 37)] };
    expect(narrowSearch(result, search('im'))).toHaveLength(37);
    expect(narrowSearch(result, search('ic'))).toBeNull();
    expect(narrowSearch(result, search('in'))).toBeNull();
  });

  test('returns null for another text, a shorter text, or another category', () => {
    const result: SearchResult = { search: search('cr'), items: [item('crown')] };
    expect(narrowSearch(result, search('fi'))).toBeNull();
    expect(narrowSearch(result, search('c'))).toBeNull();
    expect(narrowSearch(result, search('cro', { categoryId: 3 }))).toBeNull();
  });
});
