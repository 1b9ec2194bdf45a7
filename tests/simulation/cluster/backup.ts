/** Backs up the rows of one clinic, and restores them into the running server in a new epoch. */
import type { Clinic } from './clinic.ts';

interface TableBackup {
  table: string;
  columns: string;
  rows: unknown[];
}

export type Backup = TableBackup[];

/** Leaves out `xid`, so that restored rows are new to the feed: their transaction ids belong to the old server. */
const columnsOfTables = `select table_name as "table", string_agg(quote_ident(column_name), ', ') as columns
  from information_schema.columns where table_schema = 'public' and column_name <> 'xid'
  group by table_name having bool_or(column_name = 'clinic_id') order by 1`;

export async function takeBackup({ id, cluster }: Clinic): Promise<Backup> {
  const tables = await cluster.query<{ table: string; columns: string }>(columnsOfTables);
  const selects = tables.map(
    ({ table }) => `(select coalesce(json_agg(t), '[]') from ${table} t where clinic_id = $1) as ${table}`,
  );
  const [found] = await cluster.query<Record<string, unknown[]>>(`select ${selects.join(', ')}`, [id]);
  return tables.map(({ table, columns }) => ({ table, columns, rows: found![table]! }));
}

export async function restoreBackup(clinic: Clinic, backup: Backup): Promise<void> {
  await clinic.releaseCommit();
  const client = await clinic.cluster.databases[0]!.$client.connect();
  try {
    await client.query('begin');
    const erasures = await client.query('select * from patient_erasures where clinic_id = $1', [clinic.id]);
    // Disables triggers and foreign keys, as a restore of the whole database does.
    await client.query('set local session_replication_role = replica');
    for (const { table, columns, rows } of backup) {
      await client.query(`delete from ${table} where clinic_id = $1`, [clinic.id]);
      if (rows.length === 0) continue;
      await client.query(
        `insert into ${table} (${columns}) overriding system value select ${columns} from json_populate_recordset(null::${table}, $1::json)`,
        [JSON.stringify(rows)],
      );
    }
    // Whom the clinic has erased since stays erased.
    await client.query(
      'insert into patient_erasures select * from json_populate_recordset(null::patient_erasures, $1::json) on conflict do nothing',
      [JSON.stringify(erasures.rows)],
    );
    // Device codes granted after the backup are printed on documents, so the restored server must not grant them again.
    await client.query('update clinics set epoch = gen_random_uuid(), next_device = next_device + 1 where id = $1', [
      clinic.id,
    ]);
    // So are the numbers of the server's own documents.
    await client.query(
      `update device_codes set retired_at = now() where clinic_id = $1 and tax_id is not null and code like '%0'`,
      [clinic.id],
    );
    await client.query(
      'insert into forgotten_prefixes select tax_id, prefix from taxpayer_codes where prefix is not null on conflict do nothing',
    );
    // A restored server asks the agency what it has.
    await client.query(
      `insert into fiscal_inquiries (tax_id, month, next_at)
       select distinct s.tax_id, to_char(f.at, 'YYYY-MM'), f.at from fiscal_sendings s
       join fiscal_records r on r.clinic_id = s.clinic_id and r.id = s.record_id
       cross join lateral (select (r.record -> 'fields' ->> 'generated_at')::timestamptz as at) f
       where s.clinic_id = $1 and s.state = 'unsent' on conflict do nothing`,
      [clinic.id],
    );
    await client.query('commit');
  } finally {
    client.release();
  }
}
