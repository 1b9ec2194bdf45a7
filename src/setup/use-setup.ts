import { doneSteps } from '#domain/settings/setup.ts';
import type { SetupStep } from '#domain/settings/setup.ts';
import { useHasSettings, useKnownSettings } from '../local-data/use-clinic-settings.ts';
import { useServices } from '../server-data/catalogue.ts';
import { useDrawers } from '../server-data/drawers.ts';
import { useFirstStaff } from '../server-data/staff.ts';

const first = { page: 1, size: 1, settledSearch: '', filters: {} };

/** Returns the steps of the setup that are done; undefined until all is known. */
export function useDoneSteps(): ReadonlySet<SetupStep> | undefined {
  const settings = useKnownSettings();
  const hasSettings = useHasSettings();
  const services = useServices({ ...first, filters: { offered: 'yes', category_id: '' } });
  const staff = useFirstStaff(50);
  const drawers = useDrawers(first);
  if (!hasSettings || !settings) return undefined;
  return doneSteps({
    settings,
    services: services.value?.pagination.total,
    staff: staff.value?.data.length,
    drawers: drawers.value?.pagination.total,
  });
}
