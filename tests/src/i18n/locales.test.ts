import { expect, test } from 'vitest';
import { errorCatalogue } from '#domain/protocol/errors.ts';
import english from '#locales/en.json';
import serverEnglish from '#locales/server/en.json';
import serverSpanish from '#locales/server/sp.json';
import spanish from '#locales/sp.json';

type Texts = { [key: string]: string | Texts };

function leaves(texts: Texts, path = ''): Map<string, string> {
  return new Map(
    Object.entries(texts).flatMap(([key, text]) =>
      typeof text === 'string' ? [[path + key, text] as const] : [...leaves(text, `${path}${key}.`)],
    ),
  );
}

const en = leaves({ ...english, ...serverEnglish });
const sp = leaves({ ...spanish, ...serverSpanish });
const placeholders = (text: string) => [...new Set(text.match(/\{\{\w+\}\}/g))].sort().join();

test('both languages have the same keys', () => {
  expect([...sp.keys()].sort()).toEqual([...en.keys()].sort());
});

test('each text has the same placeholders in both languages', () => {
  const differing = [...en].filter(([key, text]) => placeholders(text) !== placeholders(sp.get(key) ?? ''));
  expect(differing.map(([key]) => key)).toEqual([]);
});

test('no text is empty', () => {
  expect([...en, ...sp].filter(([, text]) => text.trim() === '')).toEqual([]);
});

test('every error code has a text', () => {
  expect(Object.keys(english.errors)).toEqual(expect.arrayContaining(Object.keys(errorCatalogue)));
});

test('the texts of the sign-in page and of denied access are as specified', () => {
  expect(english.signIn).toMatchObject({
    failed: 'Login Failed',
    required: 'Email and password are required',
    submitting: 'Signing in...',
    expired: 'Your session has expired. Please log in again to continue.',
  });
  expect(english.shell.denied).toMatchObject({ title: 'Access Denied', text: "You don't have admin privileges." });
  expect(english.errors.CREDENTIALS_INVALID).toBe('Invalid credentials. Please check your email and password.');
});
