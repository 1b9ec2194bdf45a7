/** What the drafts of the catalogue's forms share: they send and validate only what their user changed. */
import type { Problems } from '#domain/problems.ts';

export interface OpenedDraft<Fields> {
  /** A chosen picture that is not uploaded yet. */
  picture: File | null;
  /**
   * The values when the form was opened; null for a new record. Stored with the draft, so that a draft restored days later
   * sends only its own changes and does not undo the changes of others.
   */
  opened: Fields | null;
}

/** Returns the changed fields of an existing record, or all fields of a new one. */
export function changedFields<Fields extends object>({
  picture: _picture,
  opened,
  ...draft
}: Fields & OpenedDraft<Fields>): (keyof Fields & string)[] {
  const values = draft as unknown as Fields;
  const fields = Object.keys(values) as (keyof Fields & string)[];
  return fields.filter((field) => !opened || JSON.stringify(values[field]) !== JSON.stringify(opened[field]));
}

/** Returns the problems of the changed fields: what was not touched may stay as it is. */
export function problemsOfChanged<Fields extends object>(
  draft: Fields & OpenedDraft<Fields>,
  problems: Problems<keyof Fields & string>,
): Problems<keyof Fields & string> {
  const changed: readonly string[] = changedFields<Fields>(draft);
  return Object.fromEntries(Object.entries(problems).filter(([field]) => changed.includes(field))) as Problems<
    keyof Fields & string
  >;
}
