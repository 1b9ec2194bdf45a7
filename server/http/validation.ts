/** What a person reads about an invalid request: one sentence for each wrong field, in words, never the validator's. */
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import type { z } from 'zod';
import { dateTag } from '#domain/language.ts';
import type { Language } from '#domain/language.ts';
import type { Refusal } from '#domain/result.ts';
import { translationsIn, interpolate } from '../translations.ts';
import type { Translations } from '../translations.ts';
import { languageOf } from './language.ts';
import { sendRefusal } from './refusals.ts';

export type SentenceName = keyof Translations['validation'];
type FieldName = keyof Translations['fields'];

/** An issue of a schema, or one in the same form. */
export type Issue = Pick<z.core.$ZodIssue, 'path' | 'code' | 'message'> & Record<string, unknown>;

/**
 * A schema's own check names its sentence in place of a message: `.refine(isSound, { message: 'twoDecimals' })`; what the
 * sentence inserts is in `params`.
 *
 * @param input what was validated; a field without a value is missing, whatever else is wrong with it
 * @returns the sentences by the path of their field, such as `items.0.quantity`
 */
export function sentencesOf(
  issues: readonly (Issue | z.core.$ZodIssue)[],
  input: unknown,
  language: Language,
  whole = 'body',
): Record<string, string> {
  return Object.fromEntries(issues.flatMap((issue) => entriesOf(issue as Issue, input, language, whole)));
}

function entriesOf(issue: Issue, input: unknown, language: Language, whole: string): [string, string][] {
  const { path } = issue;
  if (issue.code === 'unrecognized_keys') {
    const keys = (issue['keys'] as string[]).slice(0, 20);
    return keys.map((name) => [
      [...path, name].join('.'),
      sentenceIn(language, 'unknown', { name: name.slice(0, 60) }),
    ]);
  }
  const { name, values } = sentenceFor(issue, isMissing(input, path));
  const field = labelIn(
    language,
    path.findLast((part) => typeof part === 'string' && !/^\d+$/.test(part)),
  );
  return [[path.join('.') || whole, sentenceIn(language, name, { field, ...numbersIn(language, values) })]];
}

/** What no schema checks: a field with the name of its sentence. */
export const invalidField = (path: string, name: SentenceName): Issue => ({
  code: 'custom',
  path: [path],
  message: name,
});

/** Keys that nothing knows, for what no schema checks. */
export const unknownKeys = (keys: readonly string[]): Issue => ({
  code: 'unrecognized_keys',
  path: [],
  message: '',
  keys,
});

interface Sentence {
  name: SentenceName;
  values?: Record<string, unknown>;
}

function sentenceFor(issue: Issue, missing: boolean): Sentence {
  if (missing && issue.code !== 'custom') return { name: 'required' };
  switch (issue.code) {
    case 'invalid_type':
      return { name: types[String(issue['expected'])] ?? 'invalid' };
    case 'invalid_value':
      return { name: 'choice', values: { choices: (issue['values'] as unknown[]).join(', ') } };
    case 'invalid_format':
      return { name: formats[String(issue['format'])] ?? 'invalid' };
    case 'too_big':
      return tooBig(issue);
    case 'too_small':
      return tooSmall(issue);
    case 'invalid_union':
      return inUnion(issue);
    case 'custom':
      return {
        name: issue.message in translationsIn('en').validation ? (issue.message as SentenceName) : 'invalid',
        values: (issue['params'] ?? {}) as Record<string, unknown>,
      };
    default:
      return { name: 'invalid' };
  }
}

const types: Record<string, SentenceName | undefined> = {
  string: 'text',
  number: 'number',
  nan: 'number',
  int: 'whole',
  boolean: 'yesNo',
  array: 'list',
  object: 'group',
  record: 'group',
};
const formats: Record<string, SentenceName | undefined> = {
  uuid: 'id',
  date: 'date',
  datetime: 'time',
  safeint: 'whole',
};

function tooBig({ origin, maximum }: Issue): Sentence {
  const values = { limit: maximum };
  if (origin === 'string') return { name: 'tooLong', values };
  return { name: origin === 'array' ? 'tooMany' : 'tooHigh', values };
}

function tooSmall({ origin, minimum, inclusive }: Issue): Sentence {
  if (origin === 'array') return { name: 'tooFew' };
  if (origin === 'string')
    return minimum === 1 ? { name: 'required' } : { name: 'tooShort', values: { limit: minimum } };
  if (minimum === 0) return { name: inclusive === false ? 'positive' : 'notNegative' };
  return { name: 'tooLow', values: { limit: minimum } };
}

/** Says what the first alternative lacks. */
function inUnion(issue: Issue): Sentence {
  const [first] = (issue['errors'] as Issue[][] | undefined)?.[0] ?? [];
  return first && first.path.length === 0 ? sentenceFor(first, false) : { name: 'invalid' };
}

function isMissing(input: unknown, path: readonly PropertyKey[]): boolean {
  let value = input;
  for (const part of path) value = (value as Record<PropertyKey, unknown> | null | undefined)?.[part];
  return value === undefined || value === null;
}

const sentenceIn = (language: Language, name: SentenceName, values: Record<string, string | number>): string =>
  interpolate(translationsIn(language).validation[name], values);

/** Returns a field's name in words; a name without words stays as it is. */
function labelIn(language: Language, name: PropertyKey | undefined): string {
  const { fields } = translationsIn(language);
  if (typeof name !== 'string') return fields.body;
  return Object.hasOwn(fields, name) ? fields[name as FieldName] : name;
}

function numbersIn(language: Language, values: Record<string, unknown> = {}): Record<string, string> {
  const format = new Intl.NumberFormat(dateTag(language));
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => [
      name,
      typeof value === 'number' ? format.format(value) : String(value),
    ]),
  );
}

/** Returns the issues of a request that its route's schema refused. */
export const issuesOf = ({ validation = [] }: FastifyError): Issue[] =>
  validation.map(({ instancePath, keyword, message = '', params }) => ({
    ...params,
    code: keyword as Issue['code'],
    path: instancePath.split('/').slice(1).filter(Boolean),
    message,
  }));

/** Returns a refusal in the language of the request. */
export const invalid = (
  { body, headers }: FastifyRequest,
  issues: readonly Issue[],
  input: unknown = body,
): Refusal => ({ code: 'VALIDATION', details: sentencesOf(issues, input, languageOf(headers)) });

export const sendInvalid = (request: FastifyRequest, reply: FastifyReply, issues: readonly Issue[]): FastifyReply =>
  sendRefusal(reply, invalid(request, issues));
