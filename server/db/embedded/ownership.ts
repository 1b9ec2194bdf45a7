import { Client, DatabaseError } from 'pg';
import { setTimeout as sleep } from 'node:timers/promises';
import { ensureDatabase, superuser } from './roles.ts';

const lockKey = 0x64656e74;
const releaseMs = 1000;

/** Another server process uses this data folder. */
export class DataFolderInUseError extends Error {
  override name = 'DataFolderInUseError';
  readonly dataDir: string;
  readonly ownerPid: number | undefined;

  constructor(dataDir: string, ownerPid: number | undefined) {
    const owner = ownerPid === undefined ? 'another process' : `process ${ownerPid}`;
    super(
      `The data folder ${dataDir} is in use by ${owner}. Stop that server first, or give this one a DATA_DIR of its own.`,
    );
    this.dataDir = dataDir;
    this.ownerPid = ownerPid;
  }
}

/** The exclusive use of a data folder, until the connection is lost. */
export interface Claim {
  socketFolder: string;
  lost: Promise<void>;
  release(): Promise<void>;
}

/** The database exists but refuses connections: it is starting, recovering or stopping. */
export class NotAnsweringError extends Error {
  readonly isBusy: boolean;
  constructor(cause: Error & { code?: string | undefined }) {
    super(cause.message, { cause });
    this.isBusy = cause.code === '57P03';
  }
}

/**
 * Takes the data folder for this process. The claim is an advisory lock on a connection that stays open: the kernel closes it
 * when this process dies, however it dies, so a claim can neither be forgotten nor outlive its owner, and two never hold it.
 * The lock is taken in the maintenance database, where no lock of the application can meet it.
 */
export async function claimDatabase(socketFolder: string, dataDir: string): Promise<Claim> {
  const client = new Client({
    host: socketFolder,
    user: superuser,
    database: 'postgres',
    application_name: `owner ${process.pid}`,
  });
  // A lost connection is reported by its `end` event; without this listener its error would end the process.
  client.on('error', () => {});
  const lost = new Promise<void>((resolve) => client.once('end', resolve));
  await connect(client);
  try {
    const patienceEnds = Date.now() + releaseMs;
    while (!(await tryLock(client))) {
      // The session of a dead owner ends within milliseconds, but not at once.
      if (Date.now() > patienceEnds) throw new DataFolderInUseError(dataDir, await holderPid(client));
      await sleep(50);
    }
    await ensureDatabase(client, socketFolder);
    return { socketFolder, lost, release: () => client.end().catch(() => {}) };
  } catch (error) {
    await client.end().catch(() => {});
    throw isShutdown(error) ? new NotAnsweringError(error) : error;
  }
}

async function connect(client: Client): Promise<void> {
  try {
    await client.connect();
  } catch (error) {
    if (error instanceof DatabaseError && !isShutdown(error)) throw error;
    throw new NotAnsweringError(error as Error);
  }
}

function isShutdown(error: unknown): error is DatabaseError {
  return error instanceof DatabaseError && (error.code ?? '').startsWith('57P');
}

async function tryLock(client: Client): Promise<boolean> {
  const { rows } = await client.query<{ taken: boolean }>('select pg_try_advisory_lock($1) as taken', [lockKey]);
  return rows[0]?.taken === true;
}

async function holderPid(client: Client): Promise<number | undefined> {
  const { rows } = await client.query<{ name: string }>(
    `select application_name as name from pg_locks join pg_stat_activity using (pid)
      where locktype = 'advisory' and granted and objid = $1 and classid = 0`,
    [lockKey],
  );
  const pid = Number(rows[0]?.name.replace('owner ', ''));
  return Number.isInteger(pid) ? pid : undefined;
}
