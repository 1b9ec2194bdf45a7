import { z } from 'zod';
import { emailOf } from '#domain/email.ts';
import { loginSchema, pinTrySchema } from '#domain/protocol/schemas.ts';
import { decisionBodySchema, idParamSchema } from '#domain/wire/schemas.ts';
import { withinClinic } from '#server/db/database.ts';
import type { Sql } from '#server/db/sql.ts';
import type { Api, RoutePorts, Routes } from '#server/ports.ts';
import { isPublic, requires } from '#server/http/access.ts';
import { askerOf } from '#server/http/askers.ts';
import { unkeyed } from '#server/http/idempotency.ts';
import { networkOf } from '#server/http/networks.ts';
import { sendRefusal } from '#server/http/refusals.ts';
import { deskWrites } from '#server/operations/rest-writes.ts';
import { Admission } from './admission.ts';
import { recogniseDevice } from './device-keys.ts';
import { endSessionById, lockSession, pageTokenOf, signOut } from './service.ts';
import { lockOpenSession, openSession, openSessions } from './sessions-store.ts';
import { SignInTrials } from './sign-in-trials.ts';
import { Strangers } from './strangers.ts';
import { isStaff } from './staff-store.ts';
import { GuessThrottle, pinBucket } from './throttle.ts';

/** Checking a device's key is one query. */
const devicesAtOnce = { inAll: 200, perNetwork: 100 };

export const userRoutes: Routes = (ports) => async (api) => {
  signInRoute(api, ports);
  ownSessionRoutes(api, ports);
  managedSessionRoutes(api, ports);
};

function signInRoute(api: Api, ports: RoutePorts): void {
  const trials = new SignInTrials(ports);
  const strangers = new Strangers(ports.clock);
  const devices = new Admission(devicesAtOnce);

  api.post(
    '/users/login',
    { config: { ...isPublic, ...unkeyed }, schema: { body: loginSchema.partial().nullish() } },
    async (request, reply) => {
      const { body, ip } = request;
      const email = body?.email && emailOf(body.email);
      const password = body?.password;
      if (!email || !password) return sendRefusal(reply, { code: 'CREDENTIALS_REQUIRED' });
      const { device_id: id, device_key: key } = body ?? {};
      const known =
        id === undefined || key === undefined
          ? null
          : await devices.run(networkOf(ip), async () => {
              const device = await recogniseDevice(ports.database, { id, key });
              return device && { answer: await trials.onDevice({ email, password }, device) };
            });
      const asStranger = () =>
        strangers.run(networkOf(ip), askerOf(request), () => trials.asStranger({ email, password }, ip));
      const answer = known === 'busy' ? known : known ? known.answer : await asStranger();
      if (answer === 'busy') return sendRefusal(reply, { code: 'SIGN_IN_BUSY' });
      if (answer === 'throttled') return sendRefusal(reply, { code: 'TOO_MANY_REQUESTS' });
      if (answer === null) return sendRefusal(reply, { code: 'CREDENTIALS_INVALID' });
      return { success: true, data: answer };
    },
  );
}

/** What a session does with itself. */
function ownSessionRoutes(api: Api, ports: RoutePorts): void {
  const pins = new GuessThrottle(ports, 'PIN');

  api.post('/auth/logout', { config: { ...requires('session.use'), ...unkeyed } }, async (request) => {
    await signOut(ports, request.session);
    return { success: true, data: null };
  });

  // The app is unlocked. Only the token of the sign-in says so, which a locked tablet has under its person's PIN or password.
  api.post('/auth/unlock', { config: { ...requires('session.use'), ...unkeyed } }, async ({ session }, reply) => {
    if (session.scope !== 'full') return sendRefusal(reply, { code: 'FORBIDDEN' });
    await pins.forget(pinBucket(session, session.userId));
    const token = await pageTokenOf(ports, session);
    return token ? { success: true, data: { token } } : sendRefusal(reply, { code: 'SESSION_EXPIRED' });
  });

  // Wrong PINs are counted here too, where nobody at the tablet can reset the count. The locked tablet has its sync token.
  api.post(
    '/auth/pin-tries',
    { config: { ...requires('sync.use'), ...unkeyed }, schema: { body: pinTrySchema } },
    async ({ session, body: { user_id, failed } }) => {
      const bucket = pinBucket(session, user_id);
      if (failed && (await isStaff(withinClinic(ports.database, session.clinicId), session.clinicId, user_id)))
        await pins.countFailure(bucket);
      return { success: true, data: { wait_ms: await pins.waitOf(bucket) } };
    },
  );

  api.post('/auth/lock', { config: { ...requires('session.use'), ...unkeyed } }, async ({ session }) => {
    await lockSession(ports, session);
    return { success: true, data: null };
  });

  api.get('/auth/me', { config: requires('session.use') }, (request) => ({
    success: true,
    data: request.session.user,
  }));
}

/** Open sessions, by an id of their own: the `jti` is part of the token. */
function managedSessionRoutes(api: Api, ports: RoutePorts): void {
  api.get('/sessions', { config: requires('session.read') }, async ({ session: { clinicId, jti } }) => ({
    success: true,
    data: await openSessions(withinClinic(ports.database, clinicId), { clinicId, jti, nowMs: ports.clock() }),
  }));

  const write = deskWrites(ports, 'sessions');
  const params = z.strictObject({ id: idParamSchema });
  const schema = { params, body: decisionBodySchema };
  api.delete('/sessions/:id', { config: requires('session.end'), schema }, (request, reply) => {
    const { id } = request.params;
    const { jti } = request.session;
    const record = async (sql: Sql, clinicId: number) => {
      const nowMs = ports.clock();
      const isOpen = await lockOpenSession(sql, { clinicId, id, nowMs });
      return isOpen && openSession(sql, { clinicId, jti, nowMs, id });
    };
    return write(request, reply, { kind: 'session.end', record }, (context) => endSessionById(context, id));
  });
}
