import { z } from 'zod';
import type { DeviceReply } from '#domain/protocol/sync.ts';
import { deviceSchema } from '#domain/protocol/schemas.ts';
import { decisionBodySchema, idParamSchema, reasonSchema, seenField, textSchema } from '#domain/wire/schemas.ts';
import { isoOf } from '#domain/instant.ts';
import type { Session } from '#server/context.ts';
import { withinClinic } from '#server/db/database.ts';
import type { Sql } from '#server/db/sql.ts';
import type { Routes } from '#server/ports.ts';
import { requires } from '#server/http/access.ts';
import { changeBody } from '#server/http/change-body.ts';
import { unkeyed } from '#server/http/idempotency.ts';
import { sendRefusal } from '#server/http/refusals.ts';
import { deskWrites, feedWrites } from '#server/operations/rest-writes.ts';
import type { WriteCall } from '#server/operations/rest-writes.ts';
import { actorKeyOf } from '#server/operations/proof.ts';
import { loadClinic } from '#server/operations/store.ts';
import { pageTokenOf, syncTokenOf } from '../users/service.ts';
import {
  deviceForRename,
  drawPrefix,
  enrolledDevices,
  introduceDevice,
  lockFromAfar,
  renameDevice,
  revokeDevice,
} from './service.ts';
import { enrolledDevice, lockDevice } from './store.ts';

export const deviceRoutes: Routes = (ports) => async (api) => {
  /**
   * Returns what lets the person act on the device, to the token of the sign-in alone. A page token ends with the lock, and
   * one that may only sync lies on the tablet in clear: a thief who copies them gets no key that lives longer.
   */
  async function keysFor(
    session: Session,
    device: { device_id: number },
  ): Promise<Pick<DeviceReply, 'actor_key' | 'session_id' | 'sync_token' | 'page_token'>> {
    if (session.scope !== 'full') return {};
    const { actorKeySecret } = await loadClinic(withinClinic(ports.database, session.clinicId), session.clinicId);
    const key = actorKeyOf(actorKeySecret, {
      userId: session.userId,
      deviceId: device.device_id,
      sessionId: session.sessionId,
    });
    const pageToken = await pageTokenOf(ports, session);
    return {
      actor_key: key.toString('base64url'),
      session_id: session.sessionId,
      sync_token: await syncTokenOf(ports, session),
      ...(pageToken && { page_token: pageToken }),
    };
  }

  // Part of the sign-in. The reply holds the device's key, which the server must not store, so the route takes no
  // idempotency key.
  api.post(
    '/devices',
    { config: { ...requires('device.enrol'), ...unkeyed }, schema: { body: deviceSchema } },
    async ({ session, body, headers }, reply) => {
      const introduced = await introduceDevice(ports, session, body, headers['user-agent'] ?? '');
      if (!introduced.ok) return sendRefusal(reply, introduced.refusal);
      const server = { epoch: session.epoch, server_time: isoOf(ports.clock()) };
      return { success: true, data: { ...introduced.value, ...(await keysFor(session, introduced.value)), ...server } };
    },
  );

  api.get('/devices', { config: requires('device.read') }, async ({ session }) => ({
    success: true,
    data: await enrolledDevices(withinClinic(ports.database, session.clinicId), session.clinicId, ports.clock()),
  }));

  /** The device that is decided on. */
  const recordOf = (id: number) => async (sql: Sql, clinicId: number) =>
    (await lockDevice(sql, clinicId, id)) && enrolledDevice(sql, clinicId, { id, nowMs: ports.clock() });

  const write = deskWrites(ports, 'devices');
  const revoke = {
    params: z.strictObject({ id: idParamSchema }),
    body: z.strictObject({ reason: reasonSchema, ...seenField }),
  };
  api.post('/devices/:id/revoke', { config: requires('device.revoke'), schema: revoke }, (request, reply) =>
    write(request, reply, { kind: 'device.revoke', record: recordOf(request.params.id) }, (context) =>
      revokeDevice(context, { id: request.params.id, reason: request.body.reason.trim() }),
    ),
  );

  // The tablets are poked, so that the one that is meant locks at once if it has a connection.
  const tell = feedWrites(ports, 'devices');
  const lock = { params: z.strictObject({ id: idParamSchema }), body: decisionBodySchema };
  api.post('/devices/:id/lock', { config: requires('session.end'), schema: lock }, (request, reply) =>
    tell(request, reply, { kind: 'device.lock', record: recordOf(request.params.id) }, (context) =>
      lockFromAfar(context, request.params),
    ),
  );

  // Another installation of the taxpayer has the same letters: the tax agency then knows a number as another's.
  api.post('/devices/prefix', { config: requires('device.revoke') }, (request, reply) =>
    write(request, reply, { kind: 'device.prefix' }, (context) => drawPrefix(context)),
  );

  const rename = {
    params: z.strictObject({ id: idParamSchema }),
    body: changeBody(z.strictObject({ name: textSchema(60) })),
  };
  api.put('/devices/:id', { config: requires('settings.write'), schema: rename }, (request, reply) => {
    const { id } = request.params;
    const record: WriteCall['record'] = (sql, clinicId) => deviceForRename(sql, clinicId, id);
    return write(request, reply, { kind: 'device.rename', record }, (context) =>
      renameDevice(context, { id, name: request.body.name.trim() }),
    );
  });
};
