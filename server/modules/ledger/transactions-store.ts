/**
 * Lists the ledger, latest first. The ledger only grows, so each query has a bound: pages and totals use indexes alone,
 * counting stops at a limit, and a search looks at the latest hits only.
 */
import { wordsOf } from '#domain/search-key.ts';
import type { StockTransactionResource } from '#domain/stock/resources.ts';
import type { StockTransactionStatus, StockTransactionType } from '#domain/stock/vocabulary.ts';
import { isoOf } from '#domain/instant.ts';
import type { Part } from '#server/db/page.ts';
import { amountOf, isoText, likeText, quantityOf, rowsOf } from '#server/db/sql.ts';
import type { Sql } from '#server/db/sql.ts';

export interface TransactionFilter {
  stockId?: number | undefined;
  type?: StockTransactionType | undefined;
  /** Every ledger row is `completed`; none is `pending`. */
  status?: StockTransactionStatus | undefined;
  /** Inclusive. */
  fromMs?: number | undefined;
  /** Exclusive. */
  untilMs?: number | undefined;
  /** Each word must begin a word of the item's name or of the notes. */
  search?: string | undefined;
}

/** Counting stops here: this total means at least as many. Later pages can still be read. */
const countedRows = 100_000;
/** A search returns at most this many rows, the latest. */
const searchedRows = 1000;

/** Returns one page of the ledger. With `isCapped` there are more rows than `total`. */
export async function listTransactions(
  sql: Sql,
  clinicId: number,
  filter: TransactionFilter,
  part: Part,
): Promise<{ rows: StockTransactionResource[]; total: number; isCapped: boolean }> {
  if (filter.status === 'pending') return { rows: [], total: 0, isCapped: false };
  const { ids, total, cap } = await findPlaces(sql, new LedgerQuery(clinicId, filter), part);
  return { rows: await documentsOf(sql, clinicId, ids), total, isCapped: total === cap };
}

async function findPlaces(
  sql: Sql,
  query: LedgerQuery,
  { limit, offset }: Part,
): Promise<{ ids: string[]; total: number; cap: number }> {
  const idsOf = async (text: string) => (await sql.query(text, query.values)).rows.map(({ id }: { id: string }) => id);
  if (query.isSearch) {
    const found = await idsOf(query.found());
    return { ids: found.slice(offset, offset + limit), total: found.length, cap: searchedRows };
  }
  const { rows } = await sql.query(
    `select count(*)::int as total from (${query.all()} limit ${countedRows}) counted`,
    query.values,
  );
  const ids = await idsOf(`${query.all()} order by t.effective_at desc, t.id desc limit ${limit} offset ${offset}`);
  return { ids, total: (rows[0] as { total: number }).total, cap: countedRows };
}

const documentJson = `json_build_object(
  'id', t.id, 'stock_id', t.stock_id, 'Stock', json_build_object('name', s.name, 'unit', t.unit),
  'User', case when u.id is not null then json_build_object('name', u.name) end, 'device', d.code,
  'transaction_type', t.type, 'status', t.status, 'is_count', t.is_count,
  'quantity', ${quantityOf('t.quantity_milli')}, 'effect', ${quantityOf('t.effect_milli')},
  'previous_quantity', ${quantityOf('t.previous_milli')}, 'new_quantity', ${quantityOf('t.new_milli')},
  'total_cost', ${amountOf('t.cost_minor')}, 'reference_type', t.reference_type, 'reference_id', t.reference_id, 'notes', t.notes,
  'approved_by', null, 'transaction_date', ${isoText('t.effective_at')}, 'created_at', ${isoText('t.received_at')})`;

async function documentsOf(sql: Sql, clinicId: number, ids: readonly string[]): Promise<StockTransactionResource[]> {
  const rows = await rowsOf<{ row: StockTransactionResource }>(
    sql,
    'transactions by id',
    `select ${documentJson} as row from stock_transactions t
     join stock_items s on s.clinic_id = t.clinic_id and s.id = t.stock_id
     left join users u on u.clinic_id = t.clinic_id and u.id = t.user_id
     left join devices d on d.clinic_id = t.clinic_id and d.id = t.device_id
     where t.clinic_id = $1 and t.id = any($2::bigint[]) order by t.effective_at desc, t.id desc`,
    [clinicId, ids],
  );
  return rows.map(({ row }) => row);
}

/** Builds the queries of a filter, and their values. */
class LedgerQuery {
  readonly values: unknown[];
  private readonly period: string[] = [];
  private readonly ofItem: string[] = [];
  private readonly ofType: string[] = [];
  private readonly words: string[];

  constructor(clinicId: number, { stockId, type, fromMs, untilMs, search }: TransactionFilter) {
    this.values = [clinicId];
    if (stockId !== undefined) this.ofItem.push(`stock_id = ${this.parameter(stockId)}`);
    if (type !== undefined)
      this.ofType.push(`type = ${this.parameter(type === 'adjustment' ? 'manual_adjustment' : type)}`);
    if (fromMs !== undefined) this.period.push(`effective_at >= ${this.parameter(isoOf(fromMs))}`);
    if (untilMs !== undefined) this.period.push(`effective_at < ${this.parameter(isoOf(untilMs))}`);
    this.words = wordsOf(search ?? '');
  }

  get isSearch(): boolean {
    return this.words.length > 0;
  }

  /** Selects the ids that pass the filters other than the search. */
  all(): string {
    return `select t.id from stock_transactions t where ${this.matching('t')}`;
  }

  /** Selects the ids of the latest hits of a search, in order, from three indexes. */
  found(): string {
    return `select id from (${this.byItem()} union ${this.byNumber()} union ${this.byNotes()}) found order by effective_at desc, id desc limit ${searchedRows}`;
  }

  private parameter(value: unknown): string {
    this.values.push(value);
    return `$${this.values.length}`;
  }

  private matching(alias: string, conditions = [...this.ofItem, ...this.ofType, ...this.period]): string {
    return [`${alias}.clinic_id = $1`, ...conditions.map((condition) => `${alias}.${condition}`)].join(' and ');
  }

  private byItem(): string {
    const named = this.words
      .map((word) => `' ' || i.search_key like ${this.parameter(`% ${likeText(word)}%`)}`)
      .join(' and ');
    return `(select latest.id, latest.effective_at from stock_items i cross join lateral (
        select t.id, t.effective_at from stock_transactions t where ${this.matching('t')} and t.stock_id = i.id
        order by t.effective_at desc, t.id desc limit ${searchedRows}) latest
      where i.clinic_id = $1 and ${named} order by latest.effective_at desc, latest.id desc limit ${searchedRows})`;
  }

  /**
   * The notes of usage are the treatment's number: one word in capitals. The highest numbers are taken for the latest.
   */
  private byNumber(): string {
    const number = this.words.length === 1 ? this.parameter(this.words[0]!.toUpperCase()) : 'null';
    return `(select t.id, t.effective_at from stock_transactions t where ${this.matching('t')} and t.type = 'usage' and t.notes ^@ ${number}
      order by t.notes using ~>~ limit ${searchedRows})`;
  }

  private byNotes(): string {
    const [first, ...others] = this.words.map((word) => this.parameter(word));
    const also = others.map(
      (word) =>
        `and exists (select 1 from stock_note_words o where o.clinic_id = $1 and o.transaction_id = w.transaction_id and o.word ^@ ${word})`,
    );
    const item =
      this.ofItem.length > 0
        ? `and exists (select 1 from stock_transactions t where ${this.matching('t', this.ofItem)} and t.id = w.transaction_id)`
        : '';
    return `(select distinct w.transaction_id as id, w.effective_at from stock_note_words w
      where ${this.matching('w', [...this.ofType, ...this.period])} and w.word ^@ ${first} ${also.join(' ')} ${item}
      order by w.effective_at desc, w.transaction_id desc limit ${searchedRows})`;
  }
}
