import { describe, expect, test } from 'vitest';
import type { CatalogueItem } from '../../../../../src/db/database.ts';
import { narrowSearch } from '../../../../../src/features/counter/create/narrow-search.ts';
import type { Found, Search } from '../../../../../src/features/counter/create/narrow-search.ts';

const search = (text: string, changes: Partial<Search> = {}): Search => ({
  text,
  categoryId: null,
  limit: 48,
  ...changes,
});
const item = (name: string) => ({ key: name, name, search_key: name }) as CatalogueItem;
const services = (beginning: string, count: number) =>
  Array.from({ length: count }, (_, index) => item(`${beginning} ${100 + index}`));
const names = (items: CatalogueItem[] | null) => items?.map(({ name }) => name);

describe('what an answer says about the next search', () => {
  test('all of an answer that was complete, as far as it fits', () => {
    const found: Found = { search: search('cr'), items: [item('cream'), item('crown'), item('crown post')] };
    expect(names(narrowSearch(found, search('Cró')))).toEqual(['crown', 'crown post']);
    expect(narrowSearch(found, search('crz'))).toEqual([]);
  });

  test('a screenful of one that was cut off, and nothing less', () => {
    const found: Found = { search: search('i'), items: [...services('icon', 11), ...services('implant', 37)] };
    expect(narrowSearch(found, search('im'))).toHaveLength(37);
    expect(narrowSearch(found, search('ic'))).toBeNull();
    expect(narrowSearch(found, search('in'))).toBeNull();
  });

  test('nothing about another beginning, a shorter one, or another category', () => {
    const found: Found = { search: search('cr'), items: [item('crown')] };
    expect(narrowSearch(found, search('fi'))).toBeNull();
    expect(narrowSearch(found, search('c'))).toBeNull();
    expect(narrowSearch(found, search('cro', { categoryId: 3 }))).toBeNull();
  });
});
