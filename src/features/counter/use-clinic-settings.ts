import { useLiveQuery } from 'dexie-react-hooks';
import { defaultSettings } from '../../../domain/settings/settings.ts';
import type { ClinicSettings } from '../../../domain/settings/settings.ts';
import { db } from '../../app/database.ts';
import { clinicSettings } from '../../db/singletons.ts';

export function useClinicSettings(): ClinicSettings {
  return useLiveQuery(() => clinicSettings(db), []) ?? defaultSettings;
}

export function useCurrency(): string {
  return useClinicSettings().currency;
}
