import { useEffect, useState } from 'react';
import { useSearchParams } from 'react-router-dom';
import { auditGroups } from '../../../domain/audit/actions.ts';
import { isDay } from '../../../domain/business-day.ts';
import type { AuditFilters } from '../../server-data/audit.ts';

/** Filters of the audit log; an empty string filters nothing. Days are YYYY-MM-DD, both inclusive. */
export const noFilters: AuditFilters = { person: '', group: '', device: '', from: '', to: '' };

/** Reads the filters from the query string. An invalid value is ignored, because anybody can type an address. */
export function readFilters(search: URLSearchParams): AuditFilters {
  const validOr = (name: string, isValid: (text: string) => boolean): string =>
    [search.get(name) ?? ''].find(isValid) ?? '';
  const isId = (text: string): boolean => /^[1-9]\d{0,8}$/.test(text);
  const group = auditGroups.find((each) => each === search.get('group')) ?? '';
  return {
    person: validOr('person', isId),
    group,
    device: validOr('device', isId),
    from: validOr('from', isDay),
    to: validOr('to', isDay),
  };
}

/** Returns the query string with its filters replaced; empty filters are left out. */
export function withFilters(search: URLSearchParams, filters: AuditFilters): URLSearchParams {
  const after = new URLSearchParams(search);
  for (const [name, value] of Object.entries(filters)) {
    if (value === '') after.delete(name);
    else after.set(name, value);
  }
  return after;
}

/** Keeps the filters of the log in the query string, so that a reload or a shared link restores them. */
export function useAuditFilters(): [AuditFilters, (change: Partial<AuditFilters>) => void] {
  const [search, setSearch] = useSearchParams();
  // Held in state as well: the query string lags behind, and the fields must show a choice at once.
  const [filters, setFilters] = useState(() => readFilters(search));
  useEffect(() => {
    setSearch((before) => withFilters(before, filters), { replace: true });
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- The router returns a new setter after each navigation, which this effect causes.
  }, [filters]);
  return [filters, (change) => setFilters((before) => ({ ...before, ...change }))];
}
