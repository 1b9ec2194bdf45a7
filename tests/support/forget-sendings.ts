import type { Sql } from '#server/db/sql.ts';

/** Empties what became of fiscal records, which no statement of the product may do. */
export async function forgetSendings(sql: Sql): Promise<void> {
  const tables = ['fiscal_sendings', 'fiscal_answers'];
  for (const table of tables) await sql.query(`alter table ${table} disable trigger user`);
  await sql.query(`truncate ${tables.join(', ')}, fiscal_senders, fiscal_inquiries`);
  for (const table of tables) await sql.query(`alter table ${table} enable trigger user`);
}
