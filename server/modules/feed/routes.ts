import { changesQuerySchema } from '../../../domain/protocol/operation-schemas.ts';
import { requires } from '../../http/access.ts';
import { sendRefusal } from '../../http/refusals.ts';
import type { Routes } from '../../ports.ts';

/** Takes the pulls of tablets (SYNC-9). */
export const feedRoutes: Routes =
  ({ pull }) =>
  async (api) => {
    const options = { config: requires('sync.use'), schema: { querystring: changesQuerySchema } };

    api.get('/sync/changes', options, async ({ session, query }, reply) => {
      const page = await pull(session, query);
      return page ? { success: true, data: page } : sendRefusal(reply, { code: 'CURSOR_GONE' });
    });
  };
