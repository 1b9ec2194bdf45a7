import { useSearchParams } from 'react-router-dom';
import { useToday } from '#src/formats/clock.ts';

/**
 * Keeps the period of a report in the query string, beside its other filters. It is the calendar month to date until somebody
 * chooses another.
 */
export function usePeriod() {
  const [search, setSearch] = useSearchParams();
  const today = useToday();
  /** Sets parameters of the query string; an empty text removes one. */
  const set = (change: Record<string, string>) =>
    setSearch(
      (before) => {
        const after = new URLSearchParams(before);
        for (const [name, value] of Object.entries(change)) {
          if (value === '') after.delete(name);
          else after.set(name, value);
        }
        return after;
      },
      { replace: true },
    );
  return {
    startDate: search.get('startDate') ?? (today === undefined ? '' : `${today.slice(0, 7)}-01`),
    endDate: search.get('endDate') ?? today ?? '',
    search,
    set,
  };
}
