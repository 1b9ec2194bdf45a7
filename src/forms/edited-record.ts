/**
 * The form of an existing record. It knows the record as it was opened, so it sends what its user changed and nothing else,
 * and takes over what others change meanwhile. A field that both have changed is asked.
 */
import type { Problem, Problems } from '#domain/problems.ts';
import { isSame } from '#domain/seen.ts';
import type { Seen } from '#domain/seen.ts';
import { changeOf } from '../api/change-record.ts';
import type { RecordChange } from '../api/change-record.ts';

type FieldOf<Draft> = Extract<keyof Draft, string>;

/** How the form shows a field in a sentence. */
export interface FieldView {
  label: string;
  /** Returns the words of a value; a text stands for itself. */
  text?: ((value: never) => string) | undefined;
  /** Set for the address of a file, which is shown. */
  picture?: {
    /** The form's field with a chosen file, which takes the place of the stored one once it is uploaded. */
    file?: string;
    /** True if only signed-in people may read it. */
    isPrivate?: boolean;
  };
}

export interface EditedRecord<Draft extends object> {
  /** The record as far as this device knows it now. */
  stored: Seen;
  draftOf: (record: Seen) => Draft;
  /** Returns the fields that a draft sends, under the names of the record. */
  bodyOf: (draft: Draft) => Seen;
  /** The names in the record of those fields that the form calls otherwise. */
  names: Partial<Record<FieldOf<Draft>, string>>;
  views: Partial<Record<FieldOf<Draft>, FieldView>>;
}

/** Binds the form of a record to it; undefined for a new record. */
export const edited = <Stored extends object, Draft extends object>(
  stored: Stored | 'new',
  {
    draftOf,
    bodyOf = (draft) => draft,
    names = {},
    views,
  }: {
    draftOf: (record: Stored) => Draft;
    bodyOf?: (draft: Draft) => object;
    names?: EditedRecord<Draft>['names'];
    views: EditedRecord<Draft>['views'];
  },
): EditedRecord<Draft> | undefined =>
  stored === 'new'
    ? undefined
    : {
        stored: stored as Seen,
        draftOf: draftOf as unknown as EditedRecord<Draft>['draftOf'],
        bodyOf: bodyOf as EditedRecord<Draft>['bodyOf'],
        names,
        views,
      };

const fieldsOf = <Draft extends object>(draft: Draft): FieldOf<Draft>[] => Object.keys(draft) as FieldOf<Draft>[];

const nameOf = <Draft extends object>({ names }: EditedRecord<Draft>, field: FieldOf<Draft>): string =>
  names[field] ?? field;

/** A number that cannot be read is like nothing, so that it is never replaced. */
export const isAlike = (one: unknown, other: unknown): boolean =>
  !Number.isNaN(one) && !Number.isNaN(other) && (Object.is(one, other) || isSame(one, other));

/** Returns the file that was chosen in place of a field's stored one; null for none. */
export function chosenFile<Draft extends object>(
  { views }: Pick<EditedRecord<Draft>, 'views'>,
  draft: Draft,
  field: FieldOf<Draft>,
): File | null {
  const file = views[field]?.picture?.file;
  return file === undefined ? null : ((draft as Readonly<Record<string, File | null>>)[file] ?? null);
}

/** Returns the value of a form's field as it is sent; as the form has it, if it is not sent. */
function sentValue<Draft extends object>(edit: EditedRecord<Draft>, draft: Draft, field: FieldOf<Draft>): unknown {
  const body = edit.bodyOf(draft);
  const name = nameOf(edit, field);
  return Object.hasOwn(body, name) ? body[name] : draft[field];
}

/** Returns what a draft changes of the record as it was opened. */
export function changeIn<Draft extends object>(edit: EditedRecord<Draft>, opened: Seen, draft: Draft): RecordChange {
  const [before, after] = [edit.bodyOf(edit.draftOf(opened)), edit.bodyOf(draft)];
  const changed = Object.entries(after).filter(([name, value]) => !isAlike(before[name], value));
  return changeOf(opened, Object.fromEntries(changed));
}

/** Returns what is wrong with a draft. What was wrong in its record already may stay as it is, until it is touched. */
export function problemsOfChange<Draft extends object>(
  edit: EditedRecord<Draft>,
  opened: Seen,
  draft: Draft,
  problemsOf: (draft: Draft) => Problems<FieldOf<Draft>>,
): Problems<FieldOf<Draft>> {
  const known: Partial<Record<string, Problem>> = problemsOf(edit.draftOf(opened));
  const isOld = (field: FieldOf<Draft>, problem: unknown) =>
    known[field] === problem && isAlike(sentValue(edit, draft, field), opened[nameOf(edit, field)]);
  const found = Object.entries(problemsOf(draft)).filter(
    ([field, problem]) => !isOld(field as FieldOf<Draft>, problem),
  );
  return Object.fromEntries(found) as Problems<FieldOf<Draft>>;
}

export interface Merged<Draft> {
  /** What the form shows: the person's own changes over what is stored. */
  values: Draft;
  /** The record on which the form's changes stand now. The fields that are asked are still as they were opened. */
  opened: Seen;
  /** The fields that others have changed and the person has not. */
  followed: FieldOf<Draft>[];
  /** The fields that both have changed. */
  asked: FieldOf<Draft>[];
}

/** Takes over into a draft what has changed of its record since it was opened. */
export function mergeDraft<Draft extends object>(
  edit: EditedRecord<Draft>,
  { opened, values, stored }: { opened: Seen; values: Draft; stored: Seen },
): Merged<Draft> {
  const [before, now] = [edit.draftOf(opened), edit.draftOf(stored)];
  const isLike = (one: Draft, other: Draft, field: FieldOf<Draft>) =>
    isAlike(sentValue(edit, one, field), sentValue(edit, other, field));
  const overtaken = fieldsOf(before).filter((field) => !isLike(before, now, field) && !isLike(values, now, field));
  const followed = overtaken.filter(
    (field) => isLike(values, before, field) && chosenFile(edit, values, field) === null,
  );
  const asked = overtaken.filter((field) => !followed.includes(field));
  return {
    values: { ...values, ...Object.fromEntries(followed.map((field) => [field, now[field]])) },
    opened: {
      ...stored,
      ...Object.fromEntries(asked.map((field) => [nameOf(edit, field), opened[nameOf(edit, field)]])),
    },
    followed,
    asked,
  };
}

/** Decides a field that both have changed. */
export function settleField<Draft extends object>(
  edit: EditedRecord<Draft>,
  { opened, values, stored }: { opened: Seen; values: Draft; stored: Seen },
  { field, isMine }: { field: FieldOf<Draft>; isMine: boolean },
): { opened: Seen; values: Draft } {
  const name = nameOf(edit, field);
  const file = edit.views[field]?.picture?.file;
  const theirs = { [field]: edit.draftOf(stored)[field], ...(file !== undefined && { [file]: null }) };
  return {
    opened: { ...opened, [name]: stored[name] },
    values: isMine ? values : { ...values, ...theirs },
  };
}

/** Returns whether a record is older than another: a response from the cache, which says nothing of what has changed. */
export const isOlder = ({ updated_at: one }: Seen, { updated_at: other }: Seen): boolean =>
  typeof one === 'string' && typeof other === 'string' && one < other;
