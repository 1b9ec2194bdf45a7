/**
 * CSV imports. Each row is matched with an existing resource, validated like the form, and written with all other rows
 * in one transaction, or not at all. A preview omits the writing.
 */
import type { AuditAction } from '#domain/audit/actions.ts';
import { problemCatalogue } from '#domain/problems.ts';
import type { Problem } from '#domain/problems.ts';
import { accept, refuse } from '#domain/result.ts';
import type { Result } from '#domain/result.ts';
import { searchKey } from '#domain/search-key.ts';
import type { CategoryResource, ImportPreview } from '#domain/stock/resources.ts';
import type { z } from 'zod';
import type { Sql } from '#server/db/sql.ts';
import { printCsv, readCsv } from '#server/csv.ts';
import type { CsvRow } from '#server/csv.ts';
import { inTurns } from '#server/turns.ts';
import { CategoryNames, columnOf, fieldOf, printCell, readCell, shownKind, shownValue } from './csv-cells.ts';
import type { CellKind, Columns } from './csv-cells.ts';
import { allResources } from './catalogue-store.ts';
import { audit } from '../audit/service.ts';
import type { WriteContext } from '#server/context.ts';

/** The changes and the errors in a preview. */
const shown = 100;
const savedAtOnce = 250;

interface Named {
  id: number;
  name: string;
  barcode: string | null;
}

/** A noun that can be imported: `Thing` is an existing resource, `Change` what `save` writes. */
export interface Importable<Thing, Body, Change> {
  /** The action in the audit log. */
  action: AuditAction;
  columns: Columns;
  /** Columns without which no row is valid. */
  required: readonly string[];
  schema: z.ZodType<Body>;
  /** Loads the existing resources, locked when `mode` is `lock`, and returns the function that validates a row. */
  open: (reader: Reader, categories: CategoryNames, mode: 'look' | 'lock') => Promise<Opened<Thing, Body, Change>>;
  named: (thing: Thing) => Named;
  save: (context: WriteContext, changes: readonly Change[]) => Promise<unknown>;
}

export interface Opened<Thing, Body, Change> {
  things: readonly Thing[];
  decide: (thing: Thing | null, body: Body) => Decided<Change>;
}

export interface Reader {
  sql: Sql;
  clinicId: number;
}

export interface Decided<Change> {
  change: Change;
  before: object;
  after: { name: string };
  problems: Partial<Record<string, Problem>>;
}

interface RowError {
  line: number;
  column: string | null;
  problem: Problem;
}

/**
 * Returns what an import would do. Refuses a file that is no table or has other columns; errors of rows are part of the
 * preview.
 */
export async function previewImport<T, B, C>(
  reader: Reader,
  noun: Importable<T, B, C>,
  csv: string,
): Promise<Result<ImportPreview>> {
  const plan = await planImport(reader, noun, csv, 'look');
  return plan.ok ? accept(plan.value.preview) : plan;
}

/** Runs an import against the current data. A single invalid row refuses the whole import. */
export async function confirmImport<T, B, C>(
  context: WriteContext,
  noun: Importable<T, B, C>,
  csv: string,
): Promise<Result<ImportPreview>> {
  const plan = await planImport(context, noun, csv, 'lock');
  if (!plan.ok) return plan;
  const { preview, changes } = plan.value;
  if (preview.errorCount > 0) {
    const said = preview.errors
      .slice(0, 5)
      .map(({ line, column, message }) => [`line ${line}${column === null ? '' : `, ${column}`}`, message]);
    return refuse('IMPORT_HAS_ERRORS', {
      rows: preview.errorCount,
      ...(Object.fromEntries(said) as Record<string, string>),
    });
  }
  if (changes.length > 0) {
    // A statement with all rows would take long to build, and other requests would wait.
    const parts = Array.from({ length: Math.ceil(changes.length / savedAtOnce) }, (_, part) => part * savedAtOnce);
    for await (const at of inTurns(parts)) await noun.save(context, changes.slice(at, at + savedAtOnce));
    await audit(context, { action: noun.action, details: { new: preview.new, changed: preview.changed } });
  }
  return accept({ ...preview, written: true });
}

/** Returns resources as CSV with the given columns. */
export function exportCsv(columns: Columns, documents: readonly object[], categories: CategoryNames): string {
  const cells = Object.entries(columns);
  return printCsv(
    Object.keys(columns),
    documents.map((document) =>
      cells.map(([column, kind]) => printCell(kind, valueOf(document, fieldOf(column)), categories)),
    ),
  );
}

export async function categoryNames({ sql, clinicId }: Reader): Promise<CategoryNames> {
  return new CategoryNames(await allResources<CategoryResource>(sql, clinicId, 'categories'));
}

async function planImport<T, B, C>(reader: Reader, noun: Importable<T, B, C>, csv: string, mode: 'look' | 'lock') {
  const table = await readCsv(csv, { known: Object.keys(noun.columns), required: noun.required });
  if (!table.ok) return table;
  const categories = await categoryNames(reader);
  const { things, decide } = await noun.open(reader, categories, mode);
  const matcher = await Matcher.of(things, noun.named);
  const preview: ImportPreview = {
    rows: table.value.rows.length,
    new: 0,
    changed: 0,
    unchanged: 0,
    changes: [],
    errorCount: 0,
    errors: [],
    written: false,
  };
  const changes: C[] = [];
  const importedValue = (kind: CellKind, column: string, thingBefore: object | null, thingAfter: object) => ({
    column,
    kind: shownKind(kind),
    before: thingBefore && shownValue(kind, valueOf(thingBefore, fieldOf(column)), categories),
    after: shownValue(kind, valueOf(thingAfter, fieldOf(column)), categories),
  });
  const blame = ({ line, column, problem }: RowError) => {
    preview.errorCount += 1;
    if (preview.errors.length < shown)
      preview.errors.push({ line, column, problem, message: problemCatalogue[problem] });
  };
  for await (const row of inTurns(table.value.rows)) {
    const found = matcher.match(row);
    const body = bodyOf(row, noun, categories);
    if ('problem' in found) blame(found);
    body.errors.forEach(blame);
    if ('problem' in found || body.value === null) continue;
    const { change, before, after, problems } = decide(found.thing, body.value);
    const wrong = Object.entries(problems);
    for (const [field, problem] of wrong) blame({ line: row.line, column: columnOf(field), problem: problem! });
    if (wrong.length > 0) continue;
    const changed = differing(before, after);
    const columns = Object.keys(noun.columns).filter((column) => changed.has(column));
    const isNew = found.thing === null;
    if (!isNew && columns.length === 0) {
      preview.unchanged += 1;
      continue;
    }
    preview[isNew ? 'new' : 'changed'] += 1;
    if (preview.changes.length < shown)
      preview.changes.push({
        line: row.line,
        name: after.name,
        is_new: isNew,
        columns,
        values: columns.map((column) => importedValue(noun.columns[column]!, column, isNew ? null : before, after)),
      });
    changes.push(change);
  }
  return accept({ preview, changes });
}

const valueOf = (draft: object, field: string): unknown => (draft as Record<string, unknown>)[field];

/** Returns the columns of the fields that differ. */
function differing(before: object, after: object): Set<string> {
  const value = (draft: object, field: string) => JSON.stringify(valueOf(draft, field));
  const fields = Object.keys(after).filter((field) => value(before, field) !== value(after, field));
  return new Set(fields.map(columnOf));
}

/** Returns the body that a form would send for this row; null when a cell cannot be read. */
function bodyOf<B>(
  { line, cells }: CsvRow,
  { columns, schema }: Pick<Importable<never, B, never>, 'columns' | 'schema'>,
  categories: CategoryNames,
): { value: B | null; errors: RowError[] } {
  const errors: RowError[] = [];
  const body: Record<string, unknown> = {};
  for (const [column, cell] of Object.entries(cells)) {
    if (columns[column] === 'id') continue;
    const reading = readCell(columns[column]!, cell, categories);
    if (reading.ok) body[fieldOf(column)] = reading.value;
    else errors.push({ line, column, problem: reading.problem });
  }
  const parsed = schema.safeParse(body);
  for (const { path } of parsed.error?.issues ?? []) {
    const field = String(path[0]);
    errors.push({
      line,
      column: columnOf(field),
      problem: typeof body[field] === 'string' ? 'TEXT_UNFIT' : 'NUMBER_UNFIT',
    });
  }
  return { value: errors.length === 0 ? parsed.data! : null, errors };
}

/** Matches rows with resources by id, else barcode, else name. Two rows must not match the same one. */
class Matcher<T> {
  private readonly byId = new Map<string, T>();
  private readonly byBarcode = new Map<string, T[]>();
  private readonly byName = new Map<string, T[]>();
  private readonly taken = new Set<string>();

  private constructor(private readonly named: (thing: T) => Named) {}

  static async of<T>(things: readonly T[], named: (thing: T) => Named): Promise<Matcher<T>> {
    const matcher = new Matcher(named);
    for await (const thing of inTurns(things)) {
      const { id, name, barcode } = named(thing);
      matcher.byId.set(String(id), thing);
      if (barcode !== null) add(matcher.byBarcode, barcode, thing);
      add(matcher.byName, searchKey(name), thing);
    }
    return matcher;
  }

  match({ line, cells }: CsvRow): { thing: T | null } | RowError {
    const [id, barcode, name] = [cells['id'] ?? '', cells['barcode'] ?? '', cells['name'] ?? ''].map((cell) =>
      cell.trim(),
    ) as [string, string, string];
    if (id !== '' && !this.byId.has(id)) return { line, column: 'id', problem: 'ID_UNKNOWN' };
    const candidates =
      id === '' ? (this.byBarcode.get(barcode) ?? this.byName.get(searchKey(name)) ?? []) : [this.byId.get(id)!];
    if (candidates.length > 1)
      return { line, column: this.byBarcode.has(barcode) ? 'barcode' : 'name', problem: 'NAME_AMBIGUOUS' };
    const thing = candidates[0] ?? null;
    const key = thing
      ? `id ${this.named(thing).id}`
      : barcode === ''
        ? `name ${searchKey(name)}`
        : `barcode ${barcode}`;
    if (this.taken.has(key)) return { line, column: null, problem: 'ROW_REPEATED' };
    this.taken.add(key);
    return { thing };
  }
}

function add<T>(map: Map<string, T[]>, key: string, thing: T): void {
  const known = map.get(key);
  if (known) known.push(thing);
  else map.set(key, [thing]);
}
