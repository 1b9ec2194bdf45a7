/**
 * Typed text in the form that the server stores, so that no sale is refused over a stray character: without NUL and
 * halves of characters, trimmed, and at most `max` long. Nothing left means nothing typed.
 */
export function storableText(text: string | undefined, max: number): string | undefined {
  const clean = (text ?? '')
    .replace(/[\0\p{Cs}]/gu, '')
    .trim()
    .slice(0, max);
  // The cut may have parted a pair.
  return clean.replace(/\p{Cs}$/u, '') || undefined;
}

/** The lengths that the server takes. */
export const textLimits = { name: 200, notes: 2000, reference: 100, reason: 500, number: 40 } as const;
