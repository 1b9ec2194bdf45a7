/** Document numbers in SQL. */
import { serverDeviceCode } from '../../../domain/device.ts';
import { formatNumber } from '../../../domain/order/numbers.ts';
import type { Series } from '../../../domain/order/numbers.ts';
import { rowsOf } from '../../db/sql.ts';
import type { Sql } from '../../db/sql.ts';

/**
 * Returns the next number of the server's own series. The row stays locked until the commit, so no number is skipped or
 * shared.
 */
export async function nextNumber(sql: Sql, clinicId: number, of: Series): Promise<string> {
  const [row] = await rowsOf<{ count: number }>(
    sql,
    `next ${of}`,
    `update device_codes set ${of} = ${of} + 1 where clinic_id = $1 and code = '${serverDeviceCode}' returning ${of} as count`,
    [clinicId],
  );
  return formatNumber(of, serverDeviceCode, row!.count);
}

/** Returns the numbers that treatments, invoices or refunds of other operations already carry. */
export async function numbersInUse(
  sql: Sql,
  clinicId: number,
  numbers: {
    treatments: readonly string[];
    orderIds: readonly string[];
    invoices: readonly string[];
    creditNotes: readonly string[];
    opIds: readonly string[];
  },
): Promise<Set<string>> {
  const rows = await rowsOf<{ number: string }>(
    sql,
    'numbers in use',
    // Joins use the index for each number; `= any` in a prepared statement would scan the list for every row.
    `select number from unnest($2::text[]) as given(number) join orders using (number) where clinic_id = $1 and id <> all($3::uuid[])
     union all select number from unnest($4::text[]) as given(number) join invoices using (number) where clinic_id = $1 and op_id <> all($6::uuid[])
     union all select given.number from unnest($5::text[]) as given(number) join payments on credit_note_number = given.number
       where clinic_id = $1 and op_id <> all($6::uuid[])`,
    [clinicId, numbers.treatments, numbers.orderIds, numbers.invoices, numbers.creditNotes, numbers.opIds],
  );
  return new Set(rows.map(({ number }) => number));
}
