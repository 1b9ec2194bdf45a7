import { z } from 'zod';
import { idParamSchema } from '#domain/wire/schemas.ts';
import { withinClinic } from '#server/db/database.ts';
import type { Routes } from '#server/ports.ts';
import { requires } from '#server/http/access.ts';
import { deskWrites } from '#server/operations/rest-writes.ts';
import { endSessionById } from './service.ts';
import { openSessions } from './sessions-store.ts';

/** Open sessions, by an id of their own: the `jti` is part of the token. */
export const sessionRoutes: Routes = (ports) => async (api) => {
  api.get('/sessions', { config: requires('session.read') }, async ({ session: { clinicId, jti } }) => ({
    success: true,
    data: await openSessions(withinClinic(ports.database, clinicId), { clinicId, jti, nowMs: ports.clock() }),
  }));

  const write = deskWrites(ports, 'sessions');
  const params = z.strictObject({ id: idParamSchema });
  api.delete('/sessions/:id', { config: requires('session.end'), schema: { params } }, (request, reply) =>
    write(request, reply, { kind: 'session.end' }, (context) => endSessionById(context, request.params.id)),
  );
};
