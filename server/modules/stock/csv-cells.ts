/** Cells of CSV files: how the fields of a resource are written and read. */
import { amountForm, quantityForm, readDecimal } from '#domain/decimal.ts';
import type { DecimalForm } from '#domain/decimal.ts';
import type { Problem } from '#domain/problems.ts';
import { searchKey } from '#domain/search-key.ts';
import type { CategoryResource, ImportedValue, ProductResource } from '#domain/stock/resources.ts';
import { guarded, unguarded } from '#server/csv.ts';

/** The type of a cell. `category` is a category's name; `ingredients` are `id:quantity`, separated by semicolons. */
export type CellKind = 'id' | 'text' | 'amount' | 'quantity' | 'flag' | 'category' | 'ingredients';

/** The columns of a table in order. A column has its field's name; `category` means `category_id`. */
export type Columns = Readonly<Record<string, CellKind>>;

export const fieldOf = (column: string): string => (column === 'category' ? 'category_id' : column);
export const columnOf = (field: string): string => (field === 'category_id' ? 'category' : field);

export class CategoryNames {
  private readonly names: ReadonlyMap<number, string>;
  private readonly idsByKey: ReadonlyMap<string, number>;
  readonly ids: ReadonlySet<number>;

  constructor(categories: readonly CategoryResource[]) {
    this.names = new Map(categories.map(({ id, name }) => [id, name]));
    this.idsByKey = new Map(categories.map(({ id, name }) => [searchKey(name), id]));
    this.ids = new Set(this.names.keys());
  }

  nameOf(id: number | null): string {
    return id === null ? '' : (this.names.get(id) ?? '');
  }

  idOf(name: string): number | undefined {
    return this.idsByKey.get(searchKey(name));
  }
}

export function printCell(kind: CellKind, value: unknown, categories: CategoryNames): string {
  switch (kind) {
    case 'category':
      return guarded(categories.nameOf(value as number | null));
    case 'ingredients':
      return (value as ProductResource['ingredients'])
        .map(
          ({ ingredient_id, quantity_required }) => `${ingredient_id}:${printNumber(quantity_required, quantityForm)}`,
        )
        .join('; ');
    case 'text':
      return guarded((value as string | null) ?? '');
    case 'amount':
      return printNumber(value as number, amountForm);
    case 'quantity':
      return printNumber(value as number, quantityForm);
    default:
      return String(value);
  }
}

/** How a preview shows what was read of a cell. */
export const shownKind = (kind: CellKind): ImportedValue['kind'] =>
  kind === 'amount' || kind === 'quantity' || kind === 'flag' ? kind : 'text';

export const shownValue = (kind: CellKind, value: unknown, categories: CategoryNames): ImportedValue['after'] =>
  shownKind(kind) === 'text' ? unguarded(printCell(kind, value, categories)) : (value as number | boolean);

/**
 * Writes a number with a point, as programs do between commas; with a comma where three digits behind a point would be
 * read as a group of thousands.
 */
function printNumber(value: number, form: DecimalForm): string {
  const text = String(value);
  return numberOf(text, form) === value ? text : text.replace('.', ',');
}

export type CellReading = { ok: true; value: unknown } | { ok: false; problem: Problem };

/** Reads a cell; the value is undefined where an empty cell leaves the field unchanged. */
export function readCell(kind: CellKind, cell: string, categories: CategoryNames): CellReading {
  const text = kind === 'text' || kind === 'category' ? unguarded(cell) : cell.trim();
  switch (kind) {
    case 'text':
      return read(text);
    case 'category': {
      const id = text.trim() === '' ? null : categories.idOf(text);
      return id === undefined ? unreadable('CATEGORY_UNKNOWN') : read(id);
    }
    case 'ingredients':
      return readIngredients(text);
    case 'flag':
      if (text === '') return read(undefined);
      return /^(true|false)$/i.test(text) ? read(text.toLowerCase() === 'true') : unreadable('YES_NO_INVALID');
    case 'amount':
      return readNumber(text, amountForm);
    case 'quantity':
      return readNumber(text, quantityForm);
    case 'id':
      return read(undefined);
  }
}

const read = (value: unknown): CellReading => ({ ok: true, value });
const unreadable = (problem: Problem): CellReading => ({ ok: false, problem });

function readNumber(text: string, form: DecimalForm): CellReading {
  const { scaled, fault } = readDecimal(text, form);
  if (fault) return unreadable(fault === 'NUMBER_TOO_LARGE' ? 'NUMBER_UNFIT' : fault);
  return read(scaled === null ? undefined : scaled / 10 ** form.decimals);
}

/** Returns the number of a text; undefined of none. */
function numberOf(text: string, form: DecimalForm): number | undefined {
  const { scaled } = readDecimal(text, form);
  return typeof scaled === 'number' ? scaled / 10 ** form.decimals : undefined;
}

function readIngredients(text: string): CellReading {
  const parts = text
    .split(';')
    .map((part) => part.trim())
    .filter((part) => part !== '');
  const ingredients = parts.map((part) => {
    const [id = '', quantity = ''] = part.split(':').map((side) => side.trim());
    return {
      ingredient_id: /^\d{1,10}$/.test(id) ? Number(id) : undefined,
      quantity_required: numberOf(quantity, quantityForm),
    };
  });
  const isReadable = ingredients.every(
    ({ ingredient_id, quantity_required }) => ingredient_id !== undefined && quantity_required !== undefined,
  );
  return isReadable ? read(ingredients) : unreadable('INGREDIENTS_UNREADABLE');
}
