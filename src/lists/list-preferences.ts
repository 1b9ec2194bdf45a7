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

function read(key: string): ListPreferences {
  try {
    return { ...none, ...(JSON.parse(localStorage.getItem(key) ?? '{}') as Partial<ListPreferences>) };
  } catch {
    return none;
  }
}

/** What one person has chosen for one list on this device. A sign-out leaves it (`sign-out.ts`). */
export function useListPreferences(list: string): [ListPreferences, (change: Partial<ListPreferences>) => void] {
  const owner = useSession(({ user }) => user?.id);
  const key = `list:${owner}:${list}`;
  const [kept, setKept] = useState(() => ({ key, value: read(key) }));
  const value = kept.key === key ? kept.value : read(key);
  return [
    value,
    (change) => {
      const next = { ...value, ...change };
      localStorage.setItem(key, JSON.stringify(next));
      setKept({ key, value: next });
    },
  ];
}
