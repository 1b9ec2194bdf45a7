import { describe, expect, test } from 'vitest';
import { wordStarts } from '#domain/search-key.ts';
import type { CatalogueItem } from '#src/db/database.ts';
import { bestFirst, narrowSearch } from '#src/features/counter/create/catalogue-search.ts';
import type { Search, SearchResult } from '#src/features/counter/create/catalogue-search.ts';

const search = (text: string, changes: Partial<Search> = {}): Search => ({
  text,
  category: null,
  limit: 48,
  ...changes,
});
const item = (name: string, changes: Partial<CatalogueItem> = {}) =>
  ({
    key: name,
    name,
    search_key: name,
    word_starts: wordStarts(name),
    available: 1,
    category_id: 1,
    ...changes,
  }) as CatalogueItem;
const services = (prefix: string, count: number) =>
  Array.from({ length: count }, (_, index) => item(`${prefix} ${100 + index}`));
const names = (items: CatalogueItem[] | null) => items?.map(({ name }) => name);

describe('narrowing a search result', () => {
  test('returns all matches of a complete result, by what was typed', () => {
    const result: SearchResult = {
      search: search('cr'),
      items: [item('cream'), item('zirconia crown'), item('crown post')],
    };
    expect(names(narrowSearch(result, search('Cró')))).toEqual(['zirconia crown', 'crown post']);
    expect(names(narrowSearch(result, search('cr zir')))).toEqual(['zirconia crown']);
    expect(narrowSearch(result, search('crz'))).toEqual([]);
  });

  test('returns the matches of a cut-off result only when they fill a screen', () => {
    const result: SearchResult = { search: search('i'), items: [...services('icon', 11), ...services('implant', 37)] };
    expect(narrowSearch(result, search('im'))).toHaveLength(37);
    expect(narrowSearch(result, search('ic'))).toBeNull();
    expect(narrowSearch(result, search('in'))).toBeNull();
  });

  test('leaves out matches after the last one of a cut-off result, where others are missing', () => {
    const items = [...services('im', 47), item('in zz im zz')];
    const result: SearchResult = { search: search('i'), items };
    expect(narrowSearch(result, search('im'))).toHaveLength(48);
    const cut: SearchResult = { search: search('i'), items: [item('ib zz im zz'), ...services('im', 47)] };
    expect(names(narrowSearch(cut, search('im')))).not.toContain('ib zz im zz');
  });

  test('returns null for another text, a shorter text, or another category', () => {
    const result: SearchResult = { search: search('cr'), items: [item('crown')] };
    expect(narrowSearch(result, search('fi'))).toBeNull();
    expect(narrowSearch(result, search('c'))).toBeNull();
    expect(narrowSearch(result, search('cro', { category: 3 }))).toBeNull();
  });
});

describe('the best sellers', () => {
  const best = [
    item('teeth cleaning'),
    item('crown', { category_id: 2 }),
    item('cast', { available: 0, word_starts: [] }),
  ];
  const found = [item('clamp'), item('teeth cleaning'), item('clip')];

  test('come first where they match, once, and not while they are unavailable', () => {
    expect(names(bestFirst(best, search('cl'), found))).toEqual(['teeth cleaning', 'clamp', 'clip']);
    expect(names(bestFirst(best, search(''), found))).toEqual(['teeth cleaning', 'crown', 'clamp', 'clip']);
    expect(names(bestFirst(best, search('', { category: 2 }), []))).toEqual(['crown']);
    expect(names(bestFirst(best, search('', { category: 'favourites' }), []))).toEqual(['teeth cleaning', 'crown']);
    expect(bestFirst(best, search('%'), [])).toEqual([]);
  });
});
