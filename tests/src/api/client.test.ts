import { HTTPError } from 'ky';
import type { NormalizedOptions } from 'ky';
import type { TFunction } from 'i18next';
import { expect, test } from 'vitest';
import { faultOf, faultText } from '#src/api/client.ts';

test('a refusal that the catalogue does not know is told in the server’s words', async () => {
  const response = Response.json({ success: false, code: 'NEW_CODE', message: 'The lift is full.' }, { status: 409 });
  const fault = await faultOf(new HTTPError(response, new Request('http://clinic.test'), {} as NormalizedOptions));
  const t = ((key: string) => key) as unknown as TFunction;
  expect(faultText(t, fault)).toBe('The lift is full.');
  expect(faultText(t, { code: 'UNEXPECTED', message: '' })).toBe('errors.UNEXPECTED');
});

test('a proxy that takes no body of this size says so, and its other pages count as no reply', async () => {
  const faultOfPage = (status: number) => {
    const response = new Response('<html>nginx</html>', { status, headers: { 'content-type': 'text/html' } });
    return faultOf(new HTTPError(response, new Request('http://clinic.test'), {} as NormalizedOptions));
  };
  expect((await faultOfPage(413)).code).toBe('BODY_TOO_LARGE');
  expect((await faultOfPage(502)).code).toBe('NETWORK');
});
