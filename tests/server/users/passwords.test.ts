import { describe, expect, test } from 'vitest';
import { argon2Passwords } from '#server/modules/users/passwords.ts';
import { startTestServer } from '#tests/support/server.ts';
import { readConfig } from '#server/config.ts';
import { signInAs } from '#tests/support/sign-in.ts';

describe('passwords', () => {
  test('are hashed with argon2id, with 19 MiB in two passes', async () => {
    const passwords = argon2Passwords();
    const hash = await passwords.hash('demo-admin');
    expect(hash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
    expect(await passwords.matches(hash, 'demo-admin')).toBe(true);
    expect(await passwords.matches(hash, 'demo-admim')).toBe(false);
  });

  test('match only the same text, in any length and script', async () => {
    const passwords = argon2Passwords({ memoryKib: 64, passes: 1 });
    for (const password of ['x'.repeat(1024), 'contraseña 🦷', 'a\u0000b']) {
      const hash = await passwords.hash(password);
      expect(await passwords.matches(hash, password)).toBe(true);
      expect(await passwords.matches(hash, password.slice(0, -1))).toBe(false);
    }
  });

  test('never match without a hash, not even the decoy’s password', async () => {
    const passwords = argon2Passwords({ memoryKib: 64, passes: 1 });
    for (const password of ['', 'anything']) expect(await passwords.matches(null, password)).toBe(false);
  });

  test('take as much work for an unknown user as for a known one', async () => {
    const server = await startTestServer();
    const asked: (string | null)[] = [];
    const passwords = { hash: async () => '', matches: async (hash: string | null) => (asked.push(hash), false) };
    const ports = {
      database: server.database,
      config: readConfig({}),
      clock: Date.now,
      secret: server.secret,
      passwords,
    };
    await signInAs(ports, { email: 'nobody@clinic.test', password: 'x' });
    expect(asked).toEqual([null]);
    await server.close();
  });
});
