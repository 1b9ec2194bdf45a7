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
