import { challengeSchema, passkeyLoginSchema, passkeyRemovalSchema, passkeySchema } from '#domain/protocol/schemas.ts';
import type { PasskeyAssertion } from '#domain/protocol/sync.ts';
import { problemMessages } from '#domain/problems.ts';
import type { Routes } from '#server/ports.ts';
import { isPublic, requires } from '#server/http/access.ts';
import { unkeyed } from '#server/http/idempotency.ts';
import { networkOf } from '#server/http/networks.ts';
import { sendRefusal } from '#server/http/refusals.ts';
import { Admission } from './admission.ts';
import { recogniseDevice } from './device-keys.ts';
import { newChallenge } from './assertion.ts';
import { addPasskey, removePasskey, signInByPasskey } from './passkeys.ts';
import type { PasskeyProof } from './passkeys.ts';
import { OwnPassword } from './own-password.ts';
import { GuessThrottle, passkeyBuckets } from './throttle.ts';

/** Checking a device's key is one query. */
const devicesAtOnce = { inAll: 200, perNetwork: 100 };

const proofOf = (sent: PasskeyAssertion): PasskeyProof => ({
  credentialId: Buffer.from(sent.credential_id, 'base64url'),
  clientData: Buffer.from(sent.client_data, 'base64url'),
  authenticatorData: Buffer.from(sent.authenticator_data, 'base64url'),
  signature: Buffer.from(sent.signature, 'base64url'),
});

export const passkeyRoutes: Routes = (ports) => async (api) => {
  const devices = new Admission(devicesAtOnce);
  const throttle = new GuessThrottle(ports, 'passkey');
  const ownPassword = new OwnPassword(ports);
  const deviceOf = (ip: string, sent: { device_id: number; device_key: string }) =>
    devices.run(networkOf(ip), () => recogniseDevice(ports.database, { id: sent.device_id, key: sent.device_key }));

  // A locked tablet asks for one, whose session may have ended.
  api.post(
    '/auth/passkeys/challenge',
    { config: { ...isPublic, ...unkeyed }, schema: { body: challengeSchema } },
    async ({ ip, body }, reply) => {
      const device = await deviceOf(ip, body);
      if (device === 'busy') return sendRefusal(reply, { code: 'SIGN_IN_BUSY' });
      if (!device) return sendRefusal(reply, { code: 'CREDENTIALS_INVALID' });
      return { success: true, data: { challenge: newChallenge(ports.secret, device, ports.clock()) } };
    },
  );

  api.post(
    '/users/login/passkey',
    { config: { ...isPublic, ...unkeyed }, schema: { body: passkeyLoginSchema } },
    async ({ ip, body }, reply) => {
      const device = await deviceOf(ip, body);
      if (device === 'busy') return sendRefusal(reply, { code: 'SIGN_IN_BUSY' });
      const answer =
        device &&
        (await throttle.attempt(passkeyBuckets(device, { credentialId: body.credential_id }), () =>
          signInByPasskey(ports, device, proofOf(body)),
        ));
      if (answer === 'throttled') return sendRefusal(reply, { code: 'TOO_MANY_REQUESTS' });
      if (answer === null) return sendRefusal(reply, { code: 'CREDENTIALS_INVALID' });
      return { success: true, data: answer };
    },
  );

  api.post(
    '/auth/passkeys',
    { config: { ...requires('session.use'), ...unkeyed }, schema: { body: passkeySchema } },
    async ({ session, body, hostname }, reply) => {
      const isOwn = await ownPassword.attempt(session, body.password);
      if (isOwn === 'throttled') return sendRefusal(reply, { code: 'TOO_MANY_REQUESTS' });
      if (!isOwn)
        return sendRefusal(reply, { code: 'VALIDATION', details: problemMessages({ password: 'PASSWORD_WRONG' }) });
      const publicKey = Buffer.from(body.public_key, 'base64url');
      const added = await addPasskey(ports, session, { publicKey, hostname, proof: proofOf(body) });
      return added.ok ? { success: true, data: null } : sendRefusal(reply, added.refusal);
    },
  );

  api.post(
    '/auth/passkeys/remove',
    { config: { ...requires('session.use'), ...unkeyed }, schema: { body: passkeyRemovalSchema } },
    async ({ session, body }) => {
      await removePasskey(ports, session, Buffer.from(body.credential_id, 'base64url'));
      return { success: true, data: null };
    },
  );
};
