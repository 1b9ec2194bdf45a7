import { useLiveQuery } from 'dexie-react-hooks';
import { defaultSettings } from '../../domain/settings/settings.ts';
import type { ClinicSettings } from '../../domain/settings/settings.ts';
import { clinicSettings } from '../db/singletons.ts';
import { db } from './database.ts';

/** Undefined until the device has looked them up, for what must not begin with the default ones. */
export const useKnownSettings = (): ClinicSettings | undefined => useLiveQuery(() => clinicSettings(db), []);

export const useClinicSettings = (): ClinicSettings => useKnownSettings() ?? defaultSettings;

export function useCurrency(): string {
  return useClinicSettings().currency;
}
