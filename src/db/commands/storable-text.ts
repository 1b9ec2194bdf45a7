/**
 * Returns typed text in the form that the server can store: without NUL characters and lone surrogates, trimmed, and at most
 * `max` long; undefined when nothing is left. So the server refuses no sale because of a stray character.
 */
export function storableText(text: string | undefined, max: number): string | undefined {
  const clean = (text ?? '')
    .replace(/[\0\p{Cs}]/gu, '')
    .trim()
    .slice(0, max);
  // The cut may have split a surrogate pair.
  return clean.replace(/\p{Cs}$/u, '') || undefined;
}
