import type { Pool } from 'pg';

/** Returns a digest of the rows of each table, by its name, so that a test can tell which tables changed. */
export async function tableDigests(pool: Pool): Promise<Record<string, string>> {
  const { rows: tables } = await pool.query<{ name: string }>(
    `select tablename as name from pg_tables where schemaname = 'public' order by 1`,
  );
  const digests = tables.map(
    ({ name }) =>
      `select '${name}' as name, (select md5(coalesce(string_agg(r::text, ',' order by r::text), '')) from "${name}" r) as digest`,
  );
  const { rows } = await pool.query<{ found: Record<string, string> }>(
    `select json_object_agg(name, digest) as found from (${digests.join(' union all ')}) d`,
  );
  return rows[0]!.found;
}

/** Returns the names of the tables whose digests differ. */
export const changedTables = (before: Record<string, string>, after: Record<string, string>): string[] =>
  Object.keys(after).filter((name) => before[name] !== after[name]);
