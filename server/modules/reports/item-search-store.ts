/** Searches that find treatments by the services sold, which may be many: the sums come from stored totals. */
import type { DaySpan } from '#domain/expense/periods.ts';
import { daysAfter } from '#domain/business-day.ts';
import type { ReportFilters } from '#domain/report/filters.ts';
import type { ReportOrder } from '#domain/report/resources.ts';
import type { SumGroup } from '#domain/report/sums.ts';
import { rowsOf } from '#server/db/sql.ts';
import type { Sql } from '#server/db/sql.ts';
import type { Calendar } from './daily-totals-store.ts';
import { searchByItem } from './filter-store.ts';
import type { ItemsFound } from './filter-store.ts';
import { splitByMonth } from './monthly-totals-store.ts';
import type { StoredParts } from './monthly-totals-store.ts';
import { addMatching, countedParts, storedSums } from './order-sums-store.ts';
import { documentsOf, listFound, listRows, newestFirst } from './orders-store.ts';
import type { Window } from './orders-store.ts';

/** Until most of the days have stored totals, a search goes through the sales of its services. */
const mostCountedDays = 100;
/** Matches on more days than this are so rare that the sales of the services lead to them faster. */
const mostDaysOfPage = 40;

export interface ItemSearched {
  filters: ReportFilters;
  items: ItemsFound;
  /** As `summedDays` returns it. */
  span: DaySpan;
}

/** Returns one page of the matches, newest first, and the counts and sums of all. Callers hold a snapshot. */
export async function searchItems(
  sql: Sql,
  calendar: Calendar,
  searched: ItemSearched,
  window: Window,
): Promise<{ data: ReportOrder[]; sums: SumGroup[] }> {
  const { clinicId } = calendar;
  const parts = await splitByMonth(sql, calendar, searched.span);
  if (parts.toCount.length > mostCountedDays) return listFound(sql, clinicId, searched.filters, window);
  const sums = await addFound(sql, calendar, searched, parts);
  const ids = await newestFound(sql, calendar, searched, { ...parts, ...window });
  const data = ids ? await documentsOf(sql, clinicId, ids) : await listRows(sql, clinicId, searched.filters, window);
  return { data, sums };
}

/** The parameters `$1` to `$4` of queries of stored totals `f`. */
const storedGroups = `f.clinic_id = $1 and f.items && $2::int[] and ($3::text is null or f.type = $3) and ($4::text is null or f.status = $4)`;
const groupsOf = (clinicId: number, { filters, items }: ItemSearched): unknown[] => [
  clinicId,
  [...items.stock, ...items.products.map((id) => -id)],
  filters.orderType ?? null,
  filters.status ?? null,
];

async function addFound(sql: Sql, calendar: Calendar, searched: ItemSearched, parts: StoredParts): Promise<SumGroup[]> {
  const { clinicId } = calendar;
  const { filters, items, span } = searched;
  const { kept, months, days, toCount } = parts;
  const columns = 'currency, status, orders, total_minor, paid_minor, refunded_minor';
  const found = await rowsOf<SumGroup>(
    sql,
    'kept items',
    `select ${storedSums} from (
       select ${columns} from month_items f where ${storedGroups} and f.month = any($5::date[])
       union all select ${columns} from day_items f where ${storedGroups} and f.day = any($6::date[])) f group by 1, 2`,
    [...groupsOf(clinicId, searched), months, days],
  );
  for (const part of countedParts(calendar, filters, span, toCount)) {
    const { where, values, byItem, others } = searchByItem(clinicId, part, items);
    found.push(...(await addMatching(sql, { where: `${where} and (${byItem} or ${others})`, values })));
  }
  const { where, values, byItem, others } = searchByItem(
    clinicId,
    { ...filters, startDate: kept.start, endDate: kept.end },
    items,
  );
  const isStored = `o.business_day <> all($${values.push(toCount)}::date[])`;
  found.push(
    ...(await addMatching(sql, { where: `${where} and ${isStored} and ${others} and not ${byItem}`, values })),
  );
  return found;
}

/** Returns the ids of one page; null when its matches are of too many days. */
async function newestFound(
  sql: Sql,
  { clinicId, today }: Calendar,
  searched: ItemSearched,
  { kept, toCount, limit, offset }: StoredParts & Window,
): Promise<string[] | null> {
  const newest = await newestDays(sql, clinicId, searched, { kept, toCount, count: limit + offset });
  if (newest.days.length > mostDaysOfPage) return null;
  const { where, values, byItem, others } = searchByItem(clinicId, searched.filters, searched.items);
  const value = (content: unknown): string => `$${values.push(content)}`;
  const rows = (conditions: string) =>
    `select o.id, o.business_day, o.created_at from orders o where ${where} and ${conditions}`;
  const { rows: page } = await sql.query(
    `select id from (
       ${rows(`o.business_day = any(${value([...newest.days, ...toCount])}::date[]) and ${byItem}`)}
       union ${rows(`o.business_day > ${value(today)} and ${byItem}`)}
       union ${rows(`o.business_day < ${value(searched.span.start)} and ${byItem}`)}
       union ${rows(`o.business_day >= ${value(newest.since)} and ${others}`)}) found
     ${newestFirst('found')} limit ${limit} offset ${offset}`,
    values,
  );
  return (page as { id: string }[]).map(({ id }) => id);
}

/** The newest days are looked through first, then more of them, then all. */
const daysLooked = [30, 300];
const everSince = '-infinity';

interface NewestDays {
  days: string[];
  /** No other day since then has a match by service that is stored. */
  since: string;
}

/** Returns the newest stored days that together have so many matches, or all that have one. */
async function newestDays(
  sql: Sql,
  clinicId: number,
  searched: ItemSearched,
  { kept, toCount, count }: Pick<StoredParts, 'kept' | 'toCount'> & { count: number },
): Promise<NewestDays> {
  const looked = daysLooked.map((days) => daysAfter(kept.end, -days)).filter((since) => since > kept.start);
  let days: string[] = [];
  for (const since of [...looked, kept.start]) {
    const rows = await rowsOf<{ day: string; upTo: number }>(
      sql,
      'newest days with items',
      `select day::text, "upTo" from (
         select f.day, sum(sum(f.orders)) over (order by f.day desc)::float8 as "upTo", sum(f.orders) as orders from day_items f
         where ${storedGroups} and f.day between $5 and $6 and f.day <> all($7::date[]) group by f.day) counted
       where "upTo" - orders < $8 order by day desc`,
      [...groupsOf(clinicId, searched), since, kept.end, toCount, count],
    );
    days = rows.map(({ day }) => day);
    if ((rows.at(-1)?.upTo ?? 0) >= count) return { days, since: days.at(-1)! };
  }
  return { days, since: everSince };
}
