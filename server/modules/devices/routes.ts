import { deviceSchema } from '../../../domain/protocol/schemas.ts';
import type { Routes } from '../../deps.ts';
import { requires } from '../../http/access.ts';
import { sendRefusal } from '../../http/refusals.ts';
import { introduceDevice } from './service.ts';

export const deviceRoutes: Routes = (deps) => async (api) => {
  api.post('/devices', { config: requires('device.enrol'), schema: { body: deviceSchema } }, async ({ session, body }, reply) => {
    const introduced = await introduceDevice(deps, session, body);
    if (!introduced.ok) return sendRefusal(reply, introduced.refusal);
    const server = { epoch: session.epoch, server_time: new Date(deps.clock()).toISOString() };
    return { success: true, data: { ...introduced.value, ...server } };
  });
};
