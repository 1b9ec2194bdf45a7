/** Cells of CSV files: how the fields of a resource are written and read. */
import type { Problem } from '#domain/problems.ts';
import { searchKey } from '#domain/search-key.ts';
import type { CategoryResource, ProductResource } from '#domain/stock/resources.ts';
import { guarded, unguarded } from '#server/csv.ts';

/** The type of a cell. `category` is a category's name; `ingredients` are `id:quantity`, separated by semicolons. */
export type CellKind = 'id' | 'text' | 'number' | 'flag' | 'category' | 'ingredients';

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
        .map(({ ingredient_id, quantity_required }) => `${ingredient_id}:${quantity_required}`)
        .join('; ');
    case 'text':
      return guarded((value as string | null) ?? '');
    default:
      return String(value);
  }
}

export type CellReading = { ok: true; value: unknown } | { ok: false; problem: Problem };

/** Reads a cell; the value is undefined where an empty cell leaves the field unchanged. */
export function readCell(
  kind: CellKind,
  cell: string,
  { categories, decimalComma }: { categories: CategoryNames; decimalComma: boolean },
): CellReading {
  const text = kind === 'text' || kind === 'category' ? unguarded(cell) : cell.trim();
  switch (kind) {
    case 'text':
      return read(text);
    case 'category': {
      const id = text.trim() === '' ? null : categories.idOf(text);
      return id === undefined ? unreadable('CATEGORY_UNKNOWN') : read(id);
    }
    case 'ingredients':
      return readIngredients(text, decimalComma);
    case 'flag':
      if (text === '') return read(undefined);
      return /^(true|false)$/i.test(text) ? read(text.toLowerCase() === 'true') : unreadable('YES_NO_INVALID');
    default: {
      if (text === '') return read(undefined);
      const value = numberOf(text, decimalComma);
      return value === null ? unreadable('NUMBER_INVALID') : read(value);
    }
  }
}

const read = (value: unknown): CellReading => ({ ok: true, value });
const unreadable = (problem: Problem): CellReading => ({ ok: false, problem });

function numberOf(text: string, decimalComma: boolean): number | null {
  const plain = decimalComma ? text.replace(',', '.') : text;
  return /^-?\d{1,15}(\.\d{1,15})?$/.test(plain) ? Number(plain) : null;
}

function readIngredients(text: string, decimalComma: boolean): CellReading {
  const parts = text
    .split(';')
    .map((part) => part.trim())
    .filter((part) => part !== '');
  const ingredients = parts.map((part) => {
    const [id = '', quantity = ''] = part.split(':').map((side) => side.trim());
    return {
      ingredient_id: /^\d{1,10}$/.test(id) ? Number(id) : null,
      quantity_required: numberOf(quantity, decimalComma),
    };
  });
  const isReadable = ingredients.every(
    ({ ingredient_id, quantity_required }) => ingredient_id !== null && quantity_required !== null,
  );
  return isReadable ? read(ingredients) : unreadable('INGREDIENTS_UNREADABLE');
}
