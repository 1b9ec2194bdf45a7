import { beforeEach, expect, test, vi } from 'vitest';
import { clearCookie, readCookie, writeCookie } from '#src/session/cookie.ts';

let written: string;
beforeEach(() => {
  written = '';
  vi.stubGlobal('document', {
    get cookie() {
      return `other=1; ${written.split('; ', 1)[0]}`;
    },
    set cookie(text: string) {
      written = text;
    },
  });
});

test.each([
  ['https:', '; Secure'],
  ['http:', ''],
])('SECURITY over %s the token’s cookie applies to every path of this site only', (protocol, secure) => {
  vi.stubGlobal('location', { protocol });
  writeCookie('a.b.c');
  expect(written).toBe(`pos_token=a.b.c; Max-Age=604800; Path=/; SameSite=Strict${secure}`);
  expect(readCookie()).toBe('a.b.c');
  clearCookie();
  expect(written).toBe(`pos_token=; Max-Age=0; Path=/; SameSite=Strict${secure}`);
});
