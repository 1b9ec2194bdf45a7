import { loginSchema } from '../../../domain/protocol/schemas.ts';
import type { Routes } from '../../ports.ts';
import { isPublic, requires } from '../../http/access.ts';
import { unkeyed } from '../../http/idempotency.ts';
import { sendRefusal } from '../../http/refusals.ts';
import { signIn, signOut } from './service.ts';
import { GuessThrottle } from './throttle.ts';

export const userRoutes: Routes = (ports) => async (api) => {
  const throttle = new GuessThrottle(ports, 'sign-in');

  api.post(
    '/users/login',
    { config: { ...isPublic, ...unkeyed }, schema: { body: loginSchema.partial().nullish() } },
    async (request, reply) => {
      const email = request.body?.email?.trim().toLowerCase();
      const password = request.body?.password;
      if (!email || !password) return sendRefusal(reply, { code: 'CREDENTIALS_REQUIRED' });
      const accessToken = await throttle.attempt({ account: email, address: request.ip }, () =>
        signIn(ports, { email, password }),
      );
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
