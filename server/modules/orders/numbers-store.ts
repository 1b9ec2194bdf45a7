/** Document numbers in SQL. */
import { rowsOf } from '#server/db/sql.ts';
import type { Sql } from '#server/db/sql.ts';

/** Returns the numbers that stored treatments, invoices or refunds carry. */
export async function numbersInUse(
  sql: Sql,
  clinicId: number,
  { treatments, invoices, creditNotes }: Record<'treatments' | 'invoices' | 'creditNotes', readonly string[]>,
): Promise<Set<string>> {
  const rows = await rowsOf<{ number: string }>(
    sql,
    'numbers in use',
    // Joins use the index for each number; `= any` in a prepared statement would scan the list for every row.
    `select number from unnest($2::text[]) as given(number) join orders using (number) where clinic_id = $1
     union all select number from unnest($3::text[]) as given(number) join invoices using (number) where clinic_id = $1
     union all select given.number from unnest($4::text[]) as given(number) join order_cancels on credit_note_number = given.number
       where clinic_id = $1
     union all select given.number from unnest($4::text[]) as given(number) join payments on credit_note_number = given.number
       where clinic_id = $1`,
    [clinicId, treatments, invoices, creditNotes],
  );
  return new Set(rows.map(({ number }) => number));
}
