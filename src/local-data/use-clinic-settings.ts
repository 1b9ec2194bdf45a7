import { useLiveQuery } from 'dexie-react-hooks';
import { defaultSettings } from '../../domain/settings/settings.ts';
import type { ClinicSettings } from '../../domain/settings/settings.ts';
import { clinicSettings } from '../db/singletons.ts';
import { db } from './database.ts';

/** Returns the clinic's settings; undefined while loading, for callers that must not start with the defaults. */
export const useKnownSettings = (): ClinicSettings | undefined => useLiveQuery(() => clinicSettings(db), []);

export const useClinicSettings = (): ClinicSettings => useKnownSettings() ?? defaultSettings;

export function useCurrency(): string {
  return useClinicSettings().currency;
}
