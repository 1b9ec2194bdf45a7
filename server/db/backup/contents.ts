/**
 * The contents of a backup, checked against the schema that its migrations made. Names from a file become SQL, so only
 * names of that schema pass. A restore reads through this check twice: before it changes anything, and while it writes.
 */
import type { MigrationMeta } from 'drizzle-orm/migrator';
import { BackupUnreadable, readArchive } from './archive.ts';
import type { Header, Part, TableTitle } from './archive.ts';
import { tablesOfSchema } from './tables.ts';

/**
 * Reads a backup part by part.
 *
 * @param known the migrations of this program
 * @throws BackupUnreadable, possibly only at the end; callers must discard everything read before
 */
export async function* readContents(
  file: string,
  passphrase: string | null,
  known: readonly MigrationMeta[],
): AsyncGenerator<Part> {
  let missing = new Map<string, readonly string[]>();
  let isWithinTable = false;
  for await (const part of readArchive(file, passphrase)) {
    if (part.type === 'header') missing = await tablesOfSchema(migrationsOf(part.value, known).length);
    if (part.type === 'table') checkTitle(part.value, missing);
    if (part.type === 'table') isWithinTable = missing.delete(part.value.table);
    if (part.type === 'rows' && !isWithinTable) throw new BackupUnreadable('The backup has rows of no table.');
    yield part;
  }
  const [table] = missing.keys();
  if (table !== undefined) throw new BackupUnreadable(`The backup lacks the table ${named(table)}.`);
}

/** Returns our migrations that made the schema of the backup. */
export function migrationsOf({ migrations }: Header, known: readonly MigrationMeta[]): MigrationMeta[] {
  const made = known.slice(0, migrations.length);
  if (made.length === 0 || made.length < migrations.length || made.some(({ hash }, at) => hash !== migrations[at]))
    throw new BackupUnreadable('The backup was taken by a newer version of this program, or by another one.');
  return made;
}

/** @param missing the tables that the backup has not had yet */
function checkTitle({ table, columns }: TableTitle, missing: ReadonlyMap<string, readonly string[]>): void {
  const expected = missing.get(table);
  if (!expected) throw new BackupUnreadable(`The backup has a table ${named(table)}, which it cannot have here.`);
  const foreign = columns.find((column, index) => !expected.includes(column) || columns.indexOf(column) < index);
  if (foreign !== undefined)
    throw new BackupUnreadable(`The backup has a column ${named(foreign)} in ${named(table)}, which it cannot have.`);
  const lacking = expected.find((column) => !columns.includes(column));
  if (lacking !== undefined)
    throw new BackupUnreadable(`The backup lacks the column ${named(lacking)} in ${named(table)}.`);
}

/** Quotes a name from a file for a message. Escapes keep control characters away from a terminal. */
const named = (name: string): string => JSON.stringify(name.slice(0, 100));
