/** Huge runs of one character in a body: what takes longer than its text is long takes seconds with them. */
import fc from 'fast-check';

export interface HugeRun {
  text: string;
  /** Chooses the text of the body that the run takes the place of. */
  field: number;
}

/** One request in thirty has one. A body may have a megabyte, and a backslash takes two bytes of it. */
export const hugeRun: fc.Arbitrary<HugeRun | null> = fc.oneof(
  { weight: 29, arbitrary: fc.constant(null) },
  {
    weight: 1,
    arbitrary: fc.record({
      text: fc
        .tuple(
          fc.constantFrom('\\', '0', ' ', '\t', 'a', 'A', '.', ',', '-', "'", ';', '\u0000', '\u0301', '\ud800', '🦷'),
          fc.constantFrom(5000, 60_000, 120_000),
          fc.constantFrom('', '!', '0', '=1'),
        )
        .map(([sign, length, end]) => sign.repeat(length / sign.length) + end),
      field: fc.integer({ min: 0, max: 999_999 }),
    }),
  },
);

/** Returns JSON with the run in place of one of its texts; as it is where there is none. */
export function withRun(body: string | undefined, run: HugeRun | null): string | undefined {
  if (body === undefined || run === null) return body;
  let value: unknown;
  try {
    value = JSON.parse(body);
  } catch {
    return body;
  }
  const places = textsIn(value);
  if (places.length === 0) return body;
  const [holder, key] = places[run.field % places.length]!;
  holder[key] = run.text;
  return JSON.stringify(value);
}

/** Returns the place of each text in a value, above a depth that no valid body has: what holds it, and under which key. */
function textsIn(value: unknown, depth = 0): [holder: Record<string, unknown>, key: string][] {
  if (typeof value !== 'object' || value === null || depth > 32) return [];
  const holder = value as Record<string, unknown>;
  return Object.entries(holder).flatMap(([key, inner]): [Record<string, unknown>, string][] =>
    typeof inner === 'string' ? [[holder, key]] : textsIn(inner, depth + 1),
  );
}
