import { useEffect, useState } from 'react';
import { useSearchParams } from 'react-router-dom';
import { auditGroups } from '../../../domain/audit/actions.ts';
import type { AuditGroup } from '../../../domain/audit/actions.ts';
import { isDay } from '../../../domain/business-day.ts';

/** Empty filters nothing. The days are YYYY-MM-DD, both inclusive. */
export interface AuditFilters {
  person: string;
  group: AuditGroup | '';
  device: string;
  from: string;
  to: string;
}

export const noFilters: AuditFilters = { person: '', group: '', device: '', from: '', to: '' };

/** What an address asks for. An address may have been typed: what cannot be meant narrows nothing. */
export function filtersIn(address: URLSearchParams): AuditFilters {
  const meant = (name: string, isMeant: (text: string) => boolean): string =>
    [address.get(name) ?? ''].find(isMeant) ?? '';
  const isId = (text: string): boolean => /^[1-9]\d{0,8}$/.test(text);
  const group = auditGroups.find((each) => each === address.get('group')) ?? '';
  return {
    person: meant('person', isId),
    group,
    device: meant('device', isId),
    from: meant('from', isDay),
    to: meant('to', isDay),
  };
}

/** The same address with these filters; those that narrow nothing are left out. */
export function withFilters(address: URLSearchParams, filters: AuditFilters): URLSearchParams {
  const after = new URLSearchParams(address);
  for (const [name, value] of Object.entries(filters)) {
    if (value === '') after.delete(name);
    else after.set(name, value);
  }
  return after;
}

/** The filters of the log. They stand in the address, so that a reload, or a link sent to somebody, finds the same. */
export function useAuditFilters(): [AuditFilters, (change: Partial<AuditFilters>) => void] {
  const [address, setAddress] = useSearchParams();
  // The fields show what was chosen at once: the address follows in its own time.
  const [filters, setFilters] = useState(() => filtersIn(address));
  useEffect(() => {
    setAddress((before) => withFilters(before, filters), { replace: true });
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- The router makes its function anew with each address, which this writes.
  }, [filters]);
  return [filters, (change) => setFilters((before) => ({ ...before, ...change }))];
}
