import { loginSchema } from '../../../domain/protocol/schemas.ts';
import type { Routes } from '../../ports.ts';
import { isPublic, requires } from '../../http/access.ts';
import { unkeyed } from '../../http/idempotency.ts';
import { sendRefusal } from '../../http/refusals.ts';
import { recogniseDevice } from '../devices/service.ts';
import { Admission } from './admission.ts';
import { signIn, signOut } from './service.ts';
import { deviceBuckets, GuessThrottle, networkOf, strangerBuckets } from './throttle.ts';
import type { KnownDevice } from './throttle.ts';

/** Fewer per network than its free failures, so that people who arrive together do not make each other wait. */
const strangersAtOnce = { inAll: 60, perNetwork: 30 };
/** Checking a device's key is one query. */
const devicesAtOnce = { inAll: 200, perNetwork: 100 };

export const userRoutes: Routes = (ports) => async (api) => {
  const throttle = new GuessThrottle(ports, 'sign-in');
  const strangers = new Admission(strangersAtOnce);
  const devices = new Admission(devicesAtOnce);

  const asStranger = (email: string, password: string, ip: string) =>
    strangers.run(networkOf(ip), () =>
      throttle.attempt(strangerBuckets(email, ip), () => signIn(ports, { email, password })),
    );
  const onDevice = (email: string, password: string, device: KnownDevice) =>
    throttle.attempt(deviceBuckets(email, device), () => signIn(ports, { email, password, device }));

  api.post(
    '/users/login',
    { config: { ...isPublic, ...unkeyed }, schema: { body: loginSchema.partial().nullish() } },
    async (request, reply) => {
      const { body, ip } = request;
      const email = body?.email?.trim().toLowerCase();
      const password = body?.password;
      if (!email || !password) return sendRefusal(reply, { code: 'CREDENTIALS_REQUIRED' });
      const { device_id: id, device_key: key } = body ?? {};
      const known =
        id === undefined || key === undefined
          ? null
          : await devices.run(networkOf(ip), async () => {
              const device = await recogniseDevice(ports.database.$client, { id, key });
              return device && { accessToken: await onDevice(email, password, device) };
            });
      const accessToken = known === 'busy' ? known : known ? known.accessToken : await asStranger(email, password, ip);
      if (accessToken === 'busy') return sendRefusal(reply, { code: 'SIGN_IN_BUSY' });
      if (accessToken === 'throttled') return sendRefusal(reply, { code: 'TOO_MANY_REQUESTS' });
      if (accessToken === null) return sendRefusal(reply, { code: 'CREDENTIALS_INVALID' });
      return { success: true, data: { accessToken } };
    },
  );

  api.post('/auth/logout', { config: { ...requires('session.use'), ...unkeyed } }, async (request) => {
    await signOut(ports, request.session);
    return { success: true, data: null };
  });

  api.get('/auth/me', { config: requires('session.use') }, (request) => ({
    success: true,
    data: request.session.user,
  }));
};
