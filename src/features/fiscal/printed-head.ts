import type { NamedHead } from '#domain/fiscal/verify.ts';

/** Reads a head as a Z report prints it, `A7 · 120 · 3C464DAF61ACB827`, whatever stands between its parts. */
export function readPrintedHead(text: string): NamedHead | null {
  const [, chain, sequence, seal] =
    /^\s*([A-Z]{1,12}\d)[^A-Z\d]+(\d{1,9})[^A-Z\d]+([\dA-F]{8,64})\s*$/.exec(text.toUpperCase()) ?? [];
  return chain && sequence && seal && Number(sequence) > 0 ? { chain, sequence: Number(sequence), seal } : null;
}
