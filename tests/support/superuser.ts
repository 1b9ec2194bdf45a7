import { Client } from 'pg';
import { programRole, superuser } from '#server/db/embedded/roles.ts';

/**
 * Works as the superuser of an embedded PostgreSQL.
 *
 * @param connectionString one of its databases, as the program connects to it
 */
export async function asSuperuser(connectionString: string, work: (client: Client) => Promise<void>): Promise<void> {
  const client = new Client(connectionString.replace(`//${programRole}@`, `//${superuser}@`));
  await client.connect();
  await work(client).finally(() => client.end());
}
