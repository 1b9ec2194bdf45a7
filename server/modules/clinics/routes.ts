import type { Routes } from '../../deps.ts';
import { isPublic, requires } from '../../http/access.ts';
import { clinicSettings, openDemoAccounts, publicPracticeName } from './service.ts';

export const clinicRoutes: Routes = ({ database, config }) => async (api) => {
  /** What the sign-in page shows before anyone has signed in. */
  api.get('/session-options', { config: isPublic }, async () => ({
    success: true,
    data: {
      demo: config.demo,
      practice_name: await publicPracticeName(database),
      accounts: (await openDemoAccounts(database)).map(({ role, email, password }) => ({ role, email, password })),
    },
  }));

  api.get('/settings', { config: requires('settings.read') }, async ({ session }) => ({
    success: true,
    data: await clinicSettings(database, session.clinicId),
  }));
};
