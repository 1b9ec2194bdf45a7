import { z } from 'zod';
import { deviceSchema, idParamSchema, textSchema } from '../../../domain/protocol/schemas.ts';
import type { Routes } from '../../deps.ts';
import { requires } from '../../http/access.ts';
import { sendRefusal } from '../../http/refusals.ts';
import { introduceDevice, listDevices, renameDevice } from './service.ts';

export const deviceRoutes: Routes = (deps) => async (api) => {
  api.post('/devices', { config: requires('device.enrol'), schema: { body: deviceSchema } }, async ({ session, body }, reply) => {
    const introduced = await introduceDevice(deps, session, body);
    if (!introduced.ok) return sendRefusal(reply, introduced.refusal);
    const server = { epoch: session.epoch, server_time: new Date(deps.clock()).toISOString() };
    return { success: true, data: { ...introduced.value, ...server } };
  });

  api.get('/devices', { config: requires('device.read') }, async ({ session }) => ({
    success: true,
    data: await listDevices(deps.database, session.clinicId),
  }));

  const rename = { params: z.object({ id: idParamSchema }), body: z.object({ name: textSchema(60) }) };
  api.put('/devices/:id', { config: requires('settings.write'), schema: rename }, async ({ session, params, body }, reply) => {
    const renamed = await renameDevice(deps, session, { id: params.id, name: body.name.trim() });
    return renamed.ok ? { success: true, data: null } : sendRefusal(reply, renamed.refusal);
  });
};
