import { Client } from 'pg';
import { startEmbeddedPostgres } from '#server/db/embedded/embedded-postgres.ts';

/**
 * A server process for the tests to kill: owns the data folder given, and tells on its standard output, a line each,
 * what happens. With `write` it inserts rows without end; a number is printed only after its commit was acknowledged.
 */
function tell(event: object): void {
  process.stdout.write(`${JSON.stringify(event)}\n`);
}

async function write(connectionString: string): Promise<void> {
  const client = new Client(connectionString);
  await client.connect();
  await client.query('create table if not exists written (id bigint generated always as identity)');
  const { rows } = await client.query<{ id: string }>('select id from written');
  tell({ present: rows.map(({ id }) => Number(id)) });
  for (;;) {
    const inserted = await client.query<{ id: string }>('insert into written default values returning id');
    tell({ acknowledged: Number(inserted.rows[0]?.id) });
  }
}

async function main(): Promise<void> {
  const [dataDir = '', mode] = process.argv.slice(2);
  try {
    const { connectionString } = await startEmbeddedPostgres({ dataDir });
    tell({ connectionString });
    if (mode === 'write') await write(connectionString);
  } catch (error) {
    const { name, message } = error as Error;
    tell({ refused: name, message });
    process.exitCode = 1;
  }
}

void main();
