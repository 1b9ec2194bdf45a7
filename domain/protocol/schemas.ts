/** The schemas of sign-ins, devices and settled attention items. */
import { z } from 'zod';
import { idSchema, reasonSchema, seenField, textSchema } from '../wire/schemas.ts';
import type { PasskeyAssertion } from './sync.ts';

/** `POST /auth/pin-tries`: a PIN that a tablet is about to verify, or has found wrong. */
export const pinTrySchema = z.strictObject({ user_id: idSchema, failed: z.boolean() });

/** How an enrolled device proves itself. */
const knownDevice = { device_id: idSchema.optional(), device_key: z.string().max(200).optional() };

export const loginSchema = z.strictObject({ email: textSchema(320), password: z.string().max(1024), ...knownDevice });

const base64Url = (mostBytes: number) =>
  z
    .string()
    .regex(/^[\w-]+$/)
    .max(Math.ceil((mostBytes * 4) / 3));

/** What an authenticator answers to a challenge, by the names of WebAuthn. */
const assertion: Record<keyof PasskeyAssertion, z.ZodString> = {
  credential_id: base64Url(1023),
  client_data: base64Url(2048),
  authenticator_data: base64Url(1024),
  signature: base64Url(128),
};

export const challengeSchema = z.strictObject({ device_id: idSchema, device_key: z.string().max(200) });
export const passkeyLoginSchema = challengeSchema.extend(assertion);
export const passkeySchema = z.strictObject({
  password: z.string().max(1024),
  public_key: base64Url(256),
  ...assertion,
});
export const passkeyRemovalSchema = z.strictObject({ credential_id: assertion.credential_id });

export const deviceSchema = z.strictObject({
  ...knownDevice,
  name: textSchema(100).optional(),
  code: textSchema(20).optional(),
  counters: z
    .strictObject({
      treatment: z.number().int().min(0),
      invoice: z.number().int().min(0),
      credit_note: z.number().int().min(0),
      full_invoice: z.number().int().min(0).optional(),
      full_credit_note: z.number().int().min(0).optional(),
    })
    .optional(),
});

export const settleBodySchema = z.strictObject({ reason: reasonSchema, ...seenField });
