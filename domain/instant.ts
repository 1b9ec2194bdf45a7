/** Instants: milliseconds since 1970 in code, ISO 8601 in UTC on the wire and in documents. */

export const isoOf = (ms: number): string => new Date(ms).toISOString();

export const isoOrNull = (ms: number | null): string | null => (ms === null ? null : isoOf(ms));

export const msOrNull = (iso: string | null): number | null => (iso === null ? null : Date.parse(iso));
