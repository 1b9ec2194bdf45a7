/** Connects command line tools to the database, whether the server runs or not. */
import path from 'node:path';
import type { Config } from '../config.ts';
import { embeddedUrl, startEmbeddedPostgres } from './embedded/embedded-postgres.ts';
import { runningPostmaster } from './embedded/postmaster.ts';
import { migrate } from './migrate.ts';

/** @throws DataFolderInUseError while a server is starting on the data folder */
export async function withDatabase<T>(
  { databaseUrl, dataDir }: Pick<Config, 'databaseUrl' | 'dataDir'>,
  work: (connectionString: string) => Promise<T>,
): Promise<T> {
  if (databaseUrl !== null) {
    await migrate(databaseUrl);
    return work(databaseUrl);
  }
  const running = await runningPostmaster(path.join(dataDir, 'postgresql'));
  if (running?.isReady) return work(embeddedUrl(running.socketFolder));
  const postgres = await startEmbeddedPostgres({ dataDir });
  try {
    await migrate(postgres.connectionString);
    return await work(postgres.connectionString);
  } finally {
    await postgres.stop();
  }
}
