import { useState } from 'react';
import { useSession } from '../session/session.ts';

export interface SavedFilter {
  name: string;
  /** Filters and order, without the text of the search: it may name somebody. */
  address: string;
}

export interface ListPreferences {
  /** Keys of columns that are not shown. */
  hidden: readonly string[];
  saved: readonly SavedFilter[];
}

const none: ListPreferences = { hidden: [], saved: [] };

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
    const { hidden, saved } = { ...none, ...(JSON.parse(stored ?? '{}') as Partial<Record<string, unknown>>) };
    return {
      hidden: Array.isArray(hidden) ? hidden.filter(isText) : [],
      saved: Array.isArray(saved) ? saved.filter(isSavedFilter) : [],
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
      const next = { ...value, ...change };
      localStorage.setItem(key, JSON.stringify(next));
      setKept({ key, value: next });
    },
  ];
}
