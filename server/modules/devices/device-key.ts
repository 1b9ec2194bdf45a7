/**
 * The key that a device gets when it enrols: 256 random bits, and an HMAC over them and the device's id with the secret of the
 * clinic. The HMAC proves after a restore, when the device's row is lost, that this clinic granted this id with this key. Every
 * backup of the clinic has its secret.
 */
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';

const randomLength = 32;

/** @param secret the clinic's secret */
export const newDeviceKey = (secret: Uint8Array, id: number): string => keyWith(secret, id, randomBytes(randomLength));

/** Returns whether the clinic with this secret granted the id with this key. */
export function isKeyOf(secret: Uint8Array, id: number, key: string): boolean {
  const expected = keyWith(secret, id, Buffer.from(key, 'base64url').subarray(0, randomLength));
  // As texts: several texts decode to the same bytes, and only one of them is what the device has.
  return expected.length === key.length && timingSafeEqual(Buffer.from(expected), Buffer.from(key, 'latin1'));
}

function keyWith(secret: Uint8Array, id: number, random: Buffer): string {
  const mac = createHmac('sha256', secret).update(`device-key\n${id}\n`).update(random).digest();
  return Buffer.concat([random, mac]).toString('base64url');
}
