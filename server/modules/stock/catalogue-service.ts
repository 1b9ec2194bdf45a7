/** What creates, changes and deletes the records of the catalogue: stock items, products and categories. */
import { accept } from '#domain/result.ts';
import type { Refusal, Result } from '#domain/result.ts';
import { withChanges } from '#server/partial-update.ts';
import { audit, changedFields } from '../audit/service.ts';
import { documentsOf } from './catalogue-store.ts';
import type { CatalogueTable } from './catalogue-store.ts';
import type { WriteContext } from '#server/context.ts';

/** What is special about one noun. `Stored` is a record as it is read for a change, `Change` what `save` writes. */
export interface CatalogueNoun<Resource, Draft, Body, Stored, Change> {
  /** The prefix of its actions in the audit log and of the kinds of its writes. */
  name: 'stock' | 'product' | 'category';
  table: CatalogueTable;
  /** The draft of which nobody said anything, with the fields that a form edits. */
  blank: Draft;
  missing: (id: number) => Refusal;
  /** Reads a record for a change, locked where sales change it as well. */
  read: (context: Pick<WriteContext, 'sql' | 'clinicId'>, id: number) => Promise<Stored | undefined>;
  resourceOf: (stored: Stored) => Resource;
  /** @param stored null for a new record */
  decide: (context: WriteContext, stored: Stored | null, body: Body) => Promise<Result<Change>>;
  /** @returns the ids in the given order */
  save: (context: WriteContext, changes: readonly Change[]) => Promise<number[]>;
  /** What the audit log says of a new record besides its name. */
  audited: readonly (keyof Draft & string)[];
  remove: (context: WriteContext, id: number) => Promise<Refusal | null>;
  /** Takes a deletion back. Without it a deletion is for good. */
  restore?: (context: WriteContext, id: number) => Promise<Refusal | null>;
}

interface Named {
  id: number;
  name: string;
}

type Noun<Resource, Draft, Body, Stored, Change> = CatalogueNoun<Resource, Draft, Body, Stored, Change>;

export async function createRecord<R extends Named, D extends object, B, S, C>(
  noun: Noun<R, D, B, S, C>,
  context: WriteContext,
  body: B,
): Promise<Result<R>> {
  const decided = await noun.decide(context, null, body);
  if (!decided.ok) return decided;
  const [id] = await noun.save(context, [decided.value]);
  const created = await resource(noun, context, id!);
  const fields = Object.fromEntries(noun.audited.map((field) => [field, created[field as keyof R]]));
  await audit(context, {
    action: `${noun.name}.created`,
    subject: String(id),
    details: { name: created.name, ...(fields as Record<string, string | number>) },
  });
  return accept(created);
}

export async function changeRecord<R extends Named, D extends object, B, S, C>(
  noun: Noun<R, D, B, S, C>,
  context: WriteContext,
  id: number,
  body: B,
): Promise<Result<R>> {
  const stored = await noun.read(context, id);
  if (stored === undefined) return { ok: false, refusal: noun.missing(id) };
  const decided = await noun.decide(context, stored, body);
  if (!decided.ok) return decided;
  await noun.save(context, [decided.value]);
  const after = await resource(noun, context, id);
  const draftOf = (record: R): D => withChanges(noun.blank, record as unknown as Partial<D>);
  await audit(context, {
    action: `${noun.name}.changed`,
    subject: String(id),
    details: changedFields(draftOf(noun.resourceOf(stored)), draftOf(after)),
  });
  return accept(after);
}

export async function deleteRecord<R extends Named, D, B, S, C>(
  noun: Noun<R, D, B, S, C>,
  context: WriteContext,
  id: number,
): Promise<Result<{ id: number }>> {
  const stored = await noun.read(context, id);
  if (stored === undefined) return { ok: false, refusal: noun.missing(id) };
  const refusal = await noun.remove(context, id);
  if (refusal) return { ok: false, refusal };
  const { name } = noun.resourceOf(stored);
  await audit(context, { action: `${noun.name}.deleted`, subject: String(id), details: { name } });
  return accept({ id });
}

/** Takes a deletion back. A record that is there is left as it is, so that a repeated call succeeds. */
export async function restoreRecord<R extends Named, D, B, S, C>(
  noun: Noun<R, D, B, S, C>,
  context: WriteContext,
  id: number,
): Promise<Result<{ id: number }>> {
  if ((await noun.read(context, id)) !== undefined) return accept({ id });
  const refusal = noun.restore ? await noun.restore(context, id) : noun.missing(id);
  if (refusal) return { ok: false, refusal };
  const { name } = await resource(noun, context, id);
  const action = noun.name === 'product' ? 'product.restored' : 'stock.restored';
  await audit(context, { action, subject: String(id), details: { name } });
  return accept({ id });
}

async function resource<R extends Named, D, B, S, C>(
  { table }: Noun<R, D, B, S, C>,
  { sql, clinicId }: WriteContext,
  id: number,
): Promise<R> {
  return (await documentsOf<R>(sql, clinicId, table, [id]))[0]!;
}
