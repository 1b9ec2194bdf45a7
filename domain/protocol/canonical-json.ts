/**
 * Returns the canonical JSON text of a value (RFC 8785): equal values give equal texts, whatever the order of their
 * keys. Fields that are `undefined` count as absent.
 */
export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join()}]`;
  if (value === null || typeof value !== 'object') return JSON.stringify(value) ?? 'null';
  const fields = value as Record<string, unknown>;
  let text = '';
  for (const key of Object.keys(fields).sort()) {
    if (fields[key] !== undefined) text += `${text && ','}${JSON.stringify(key)}:${canonicalJson(fields[key])}`;
  }
  return `{${text}}`;
}
