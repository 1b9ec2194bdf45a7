import { createHash, createHmac } from 'node:crypto';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { hmacSha256, sha256 } from '#src/db/sha256.ts';

const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');
const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);

test.each([
  ['', 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855'],
  ['abc', 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad'],
  [
    'abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq',
    '248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1',
  ],
])('SHA-256 agrees with the example of FIPS 180-4 for %j', (message, expected) => {
  expect(hex(sha256(bytesOf(message)))).toBe(expected);
});

test('HMAC-SHA256 agrees with test case 2 of RFC 4231', () => {
  expect(hex(hmacSha256(bytesOf('Jefe'), bytesOf('what do ya want for nothing?')))).toBe(
    '5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843',
  );
});

test('both agree with another implementation for messages of every length around the block', () => {
  const message = fc.uint8Array({ maxLength: 300 });
  const key = fc.uint8Array({ maxLength: 64 });
  fc.assert(
    fc.property(key, message, (secret, text) => {
      expect(hex(sha256(text))).toBe(createHash('sha256').update(text).digest('hex'));
      expect(hex(hmacSha256(secret, text))).toBe(createHmac('sha256', secret).update(text).digest('hex'));
    }),
    { numRuns: 500 },
  );
});
