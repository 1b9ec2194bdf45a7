/** Text that needs no escape, as nearly all text does. */
const plain = /^[\x20\x21\x23-\x5b\x5d-\ud7ff\ue000-\uffff]*$/;

/**
 * Returns the canonical JSON text of a value (RFC 8785): equal values give equal texts, whatever the order of their
 * keys. Fields that are `undefined` count as absent.
 */
export function canonicalJson(value: unknown): string {
  if (typeof value === 'string' && plain.test(value)) return `"${value}"`;
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join()}]`;
  if (value === null || typeof value !== 'object') return JSON.stringify(value) ?? 'null';
  return canonicalObject(value as Record<string, unknown>, (_key, each) => canonicalJson(each));
}

/** Returns the canonical text of an object. @param textOf returns the canonical text of a field's value */
export function canonicalObject(
  fields: Record<string, unknown>,
  textOf: (key: string, value: unknown) => string,
): string {
  let text = '';
  for (const key of Object.keys(fields).sort()) {
    if (fields[key] !== undefined) text += `${text && ','}${canonicalJson(key)}:${textOf(key, fields[key])}`;
  }
  return `{${text}}`;
}
