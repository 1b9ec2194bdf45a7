import { doneSteps } from '#domain/settings/setup.ts';
import type { SetupStep } from '#domain/settings/setup.ts';
import { syncRow } from '../db/singletons.ts';
import { db } from '../local-data/database.ts';
import { useLiveQuery } from '../local-data/live.ts';
import { useKnownSettings } from '../local-data/use-clinic-settings.ts';
import { useServices } from '../server-data/catalogue.ts';
import { useDrawers } from '../server-data/drawers.ts';
import { useFirstStaff } from '../server-data/staff.ts';

const first = { page: 1, size: 1, settledSearch: '', filters: {} };

/** Returns the steps of the setup that are done; undefined until all is known. */
export function useDoneSteps(): ReadonlySet<SetupStep> | undefined {
  const settings = useKnownSettings();
  // Before the first feed the settings of the device are the defaults.
  const isFed = useLiveQuery(async () => (await syncRow(db)).cursor !== null, []);
  const services = useServices({ ...first, filters: { offered: 'yes', category_id: '' } });
  const staff = useFirstStaff(50);
  const drawers = useDrawers(first);
  if (!isFed || !settings) return undefined;
  return doneSteps({
    settings,
    services: services.value?.pagination.total,
    staff: staff.value?.data.length,
    drawers: drawers.value?.pagination.total,
  });
}
