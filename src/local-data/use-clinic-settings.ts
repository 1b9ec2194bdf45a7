import { useSyncExternalStore } from 'react';
import { defaultSettings } from '#domain/settings/settings.ts';
import type { ClinicSettings } from '#domain/settings/settings.ts';
import { clinicSettings } from '../db/singletons.ts';
import { db } from './database.ts';
import { calmQuery, sharedQuery, useLiveQuery } from './live.ts';

const { subscribe, latest } = sharedQuery(calmQuery([db.settings], () => clinicSettings(db)));

/** Returns the clinic's settings; undefined while loading, for callers that must not start with the defaults. */
export const useKnownSettings = (): ClinicSettings | undefined => useSyncExternalStore(subscribe, latest);

/** Returns false before the first feed of a device, when its settings are the defaults; undefined while loading. */
export const useHasSettings = (): boolean | undefined => useLiveQuery(async () => (await db.settings.count()) > 0, []);

export const useClinicSettings = (): ClinicSettings => useKnownSettings() ?? defaultSettings;

export function useCurrency(): string {
  return useClinicSettings().currency;
}
