import { useState } from 'react';
import { useSession } from '../session/session.ts';
import { pageSizes } from './list-address.ts';

export interface SavedFilter {
  name: string;
  /** Filters and order, without the text of the search: it may name somebody. */
  address: string;
}

export interface ListPreferences {
  /** Keys of columns that are not shown. */
  hidden: readonly string[];
  saved: readonly SavedFilter[];
  /** The rows of a page; null where nobody chose. */
  size: number | null;
}

const none: ListPreferences = { hidden: [], saved: [], size: null };

const isText = (value: unknown): value is string => typeof value === 'string';

const isSavedFilter = (value: unknown): value is SavedFilter =>
  typeof value === 'object' &&
  value !== null &&
  'name' in value &&
  'address' in value &&
  isText(value.name) &&
  isText(value.address);

/** Reads what was stored. Another version of the app, or a person, may have written it, so that what has no sense is left out. */
export function readPreferences(stored: string | null): ListPreferences {
  try {
    const { hidden, saved, size } = { ...none, ...(JSON.parse(stored ?? '{}') as Partial<Record<string, unknown>>) };
    return {
      hidden: Array.isArray(hidden) ? hidden.filter(isText) : [],
      saved: Array.isArray(saved) ? saved.filter(isSavedFilter) : [],
      size: pageSizes.find((each) => each === size) ?? null,
    };
  } catch {
    return none;
  }
}

/** What one person has chosen for one list on this device. A sign-out leaves it (`sign-out.ts`). */
export function useListPreferences(list: string): [ListPreferences, (change: Partial<ListPreferences>) => void] {
  const owner = useSession(({ user }) => user?.id);
  const key = `list:${owner}:${list}`;
  const [kept, setKept] = useState(() => ({ key, value: readPreferences(localStorage.getItem(key)) }));
  const value = kept.key === key ? kept.value : readPreferences(localStorage.getItem(key));
  return [
    value,
    (change) => {
      // Another part of the screen may have changed something else meanwhile.
      const next = { ...readPreferences(localStorage.getItem(key)), ...change };
      localStorage.setItem(key, JSON.stringify(next));
      setKept({ key, value: next });
    },
  ];
}

/** The rows of a page of one list, kept for one person on this device. */
export function usePageSize(list: string, usual: number): [number, (size: number) => void] {
  const [{ size }, setPreferences] = useListPreferences(list);
  return [size ?? usual, (chosen) => setPreferences({ size: chosen })];
}
