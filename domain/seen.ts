/**
 * Seen is what is decided: a change or a decision names what its screen showed of the record. What has changed since is
 * told, and neither overwritten nor decided on unseen.
 */
import { canonicalJson } from './wire/canonical-json.ts';

/** What a screen showed of a record, by field, as the record's resource has it. */
export type Seen = Readonly<Record<string, unknown>>;

/** Returns what a screen shows of a record: its named fields. */
export function seenOf<Shown extends object>(record: Shown, fields: readonly (keyof Shown & string)[]): Seen {
  return Object.fromEntries(fields.map((field) => [field, record[field]]));
}

/**
 * Returns the stored values of the fields that differ from what was seen; empty if none does.
 *
 * @param wanted what a change sets: a field that is stored as wanted already is no conflict
 */
export function changedSince(seen: Seen, stored: object, wanted: object = {}): Record<string, unknown> {
  const wantedFields = wanted as Seen;
  const changed = Object.keys(seen).filter(
    (field) =>
      !isSame(ownField(stored, field), seen[field]) &&
      !(wantedFields[field] !== undefined && isSame(ownField(stored, field), wantedFields[field])),
  );
  return Object.fromEntries(changed.map((field) => [field, ownField(stored, field) ?? null]));
}

/** Returns a field of a record; undefined for one that it has not, whatever its name. */
const ownField = (record: object, field: string): unknown =>
  Object.hasOwn(record, field) ? (record as Seen)[field] : undefined;

/** A field that is absent and one that is null are the same: neither has a value. */
export const isSame = (one: unknown, other: unknown): boolean =>
  canonicalJson(one ?? null) === canonicalJson(other ?? null);
