/** The setup of a new clinic. A step is done when its data exist, so a skipped step is not done. */
import { defaultSettings } from './settings.ts';
import type { ClinicSettings } from './settings.ts';

export const setupSteps = ['clinic', 'money', 'services', 'staff', 'drawer'] as const;
export type SetupStep = (typeof setupSteps)[number];

/** Somebody may work alone, and take no cash. */
export const optionalSteps: readonly SetupStep[] = ['staff', 'drawer'];

export interface SetupFacts {
  settings: ClinicSettings;
  /** How many there are; undefined while nobody knows. */
  services: number | undefined;
  staff: number | undefined;
  /** Drawers that were ever opened. */
  drawers: number | undefined;
}

/** True where documents have to state VAT: with the profile for Spain, or by a note that the clinic has written. */
const owesTax = ({ currency, time_zone: zone, tax_profile: profile, tax_note: note }: ClinicSettings): boolean =>
  currency === 'EUR' && zone === 'Europe/Madrid' && profile === 'none' && note.trim() === '';

/** Returns the steps that are done; undefined while a fact is missing. */
export function doneSteps({ settings, services, staff, drawers }: SetupFacts): ReadonlySet<SetupStep> | undefined {
  if (services === undefined || staff === undefined || drawers === undefined) return undefined;
  const isNamed = settings.practice_name !== defaultSettings.practice_name && settings.address.trim() !== '';
  const done: Record<SetupStep, boolean> = {
    clinic: isNamed,
    money: !owesTax(settings),
    services: services > 0,
    staff: staff > 1,
    drawer: drawers > 0,
  };
  return new Set(setupSteps.filter((step) => done[step]));
}
