/**
 * Returns a UUID version 7 (RFC 9562 §5.7): 48 bits of Unix milliseconds, then random bits. Later ids sort later, which keeps
 * the server's indexes compact.
 *
 * @param random ten fresh random bytes
 */
export function uuidV7(nowMs: number, random: Uint8Array): string {
  const time = Math.floor(nowMs).toString(16).padStart(12, '0');
  const bytes = Array.from(random, (byte) => byte.toString(16).padStart(2, '0'));
  const version = `7${bytes[0]![0]}${bytes[1]}`;
  const variant = ((random[2]! & 0x3f) | 0x80).toString(16) + bytes[3];
  return `${time.slice(0, 8)}-${time.slice(8)}-${version}-${variant}-${bytes.slice(4, 10).join('')}`;
}
