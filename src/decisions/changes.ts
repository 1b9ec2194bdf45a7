/** What has changed of a record since a screen showed it, in the reader's words. */
import { changedSince } from '#domain/seen.ts';
import type { Seen } from '#domain/seen.ts';

export interface FieldChange {
  label: string;
  was: string;
  now: string;
}

/** How a field is called and how its value is written. */
export interface FieldWords {
  label: string;
  /** Without it the value stands as it is. */
  text?: (value: any) => string;
  /** Says of a field with parts what has changed in each. It takes the place of `text`. */
  parts?: (was: any, now: any) => FieldChange[];
}

/** The fields of a noun in the words of its screens. Each that is compared has its words. */
export type NounWords = Readonly<Record<string, FieldWords>>;

const nothing = '–';

function textOf({ text }: FieldWords, value: unknown): string {
  if (value === null || value === undefined || value === '') return nothing;
  if (text) return text(value);
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** @param now the stored values, at least of the fields that differ */
export function changesOf(words: NounWords, was: Seen, now: Seen): FieldChange[] {
  return Object.entries(changedSince(was, { ...was, ...now })).flatMap(([field, value]) => {
    const word = words[field];
    if (!word) return [];
    if (word.parts) return word.parts(was[field], value);
    return [{ label: word.label, was: textOf(word, was[field]), now: textOf(word, value) }];
  });
}
