import { z } from 'zod';
import { deviceSchema, idParamSchema, textSchema } from '../../../domain/protocol/schemas.ts';
import { isoOf } from '../../db/sql.ts';
import type { Routes } from '../../ports.ts';
import { requires } from '../../http/access.ts';
import { unkeyed } from '../../http/idempotency.ts';
import { sendRefusal } from '../../http/refusals.ts';
import { deskWrites } from '../../operations/rest-writes.ts';
import { introduceDevice, listDevices, renameDevice } from './service.ts';

export const deviceRoutes: Routes = (ports) => async (api) => {
  // Part of the sign-in. The reply holds the device's key, which the server must not store, so the route takes no
  // idempotency key.
  api.post(
    '/devices',
    { config: { ...requires('device.enrol'), ...unkeyed }, schema: { body: deviceSchema } },
    async ({ session, body }, reply) => {
      const introduced = await introduceDevice(ports, session, body);
      if (!introduced.ok) return sendRefusal(reply, introduced.refusal);
      const server = { epoch: session.epoch, server_time: isoOf(ports.clock()) };
      return { success: true, data: { ...introduced.value, ...server } };
    },
  );

  api.get('/devices', { config: requires('device.read') }, async ({ session }) => ({
    success: true,
    data: await listDevices(ports.database.$client, session.clinicId),
  }));

  const write = deskWrites(ports, 'devices');
  const rename = { params: z.object({ id: idParamSchema }), body: z.object({ name: textSchema(60) }) };
  api.put('/devices/:id', { config: requires('settings.write'), schema: rename }, (request, reply) =>
    write(request, reply, { kind: 'device.rename' }, (context) =>
      renameDevice(context, { id: request.params.id, name: request.body.name.trim() }),
    ),
  );
};
