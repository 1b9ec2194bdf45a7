/** A PostgreSQL of Debian's packages, with the tools around it that operators use. */
import { execFile, execFileSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { appendFile, chown, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { serverAccount } from '#server/db/embedded/account.ts';
import { freePort } from './server-process.ts';

const run = promisify(execFile);
const installed = '/usr/lib/postgresql';

/** The folder of the newest installed programs; null without any. */
export const debianBinaries: string | null = existsSync(installed)
  ? (readdirSync(installed)
      .sort((one, other) => Number(other) - Number(one))
      .map((version) => path.join(installed, version, 'bin'))
      .find((folder) => existsSync(path.join(folder, 'initdb'))) ?? null)
  : null;

if (!debianBinaries) process.stdout.write(`UNAVAILABLE: no PostgreSQL in ${installed}; its tests are left out.\n`);

/** Runs one of Debian's programs as the account of PostgreSQL, which refuses to run as root. */
export async function pgTool(name: string, ...args: string[]): Promise<string> {
  const account = await serverAccount('/nowhere');
  const { stdout } = await run(path.join(debianBinaries!, name), args, { cwd: tmpdir(), ...account, maxBuffer: 1e9 });
  return stdout;
}

export class DebianPostgres {
  private constructor(
    readonly folder: string,
    readonly port: number,
  ) {}

  /** Makes a cluster whose superuser is `postgres`, and starts it. @param from a running cluster to copy as a standby */
  static async start(from?: DebianPostgres): Promise<DebianPostgres> {
    const folder = await mkdtemp(path.join(tmpdir(), 'dental-counter-pg-'));
    const account = await serverAccount(folder);
    if (account) await chown(folder, account.uid, account.gid);
    const cluster = new DebianPostgres(folder, await freePort());
    if (from)
      await pgTool('pg_basebackup', '-d', from.url('postgres', 'postgres'), '-D', cluster.data, '-R', '-c', 'fast');
    else
      await pgTool(
        'initdb',
        '-D',
        cluster.data,
        '-U',
        'postgres',
        '-E',
        'UTF8',
        '--locale=C.UTF-8',
        '-A',
        'trust',
        '-N',
      );
    const settings = { port: cluster.port, unix_socket_directories: `'${folder}'`, listen_addresses: `'127.0.0.1'` };
    const more = { fsync: 'off', wal_level: 'logical', max_wal_senders: 4, shared_buffers: `'16MB'` };
    const lines = Object.entries({ ...settings, ...more }).map(([name, value]) => `${name} = ${value}\n`);
    await appendFile(path.join(cluster.data, 'postgresql.conf'), lines.join(''));
    await cluster.control('start', '-l', path.join(folder, 'log'));
    return cluster;
  }

  get data(): string {
    return path.join(this.folder, 'data');
  }

  url(role: string, database: string): string {
    return `postgres://${role}@127.0.0.1:${this.port}/${database}`;
  }

  /** Runs statements as the superuser. */
  async psql(statements: string, database = 'postgres'): Promise<string> {
    return pgTool('psql', '-qAtX', '-v', 'ON_ERROR_STOP=1', '-d', this.url('postgres', database), '-c', statements);
  }

  async promote(): Promise<void> {
    await this.control('promote');
  }

  /** Moves the next transaction of the cluster to this number. */
  async moveAhead(xid: number): Promise<void> {
    await this.control('stop');
    await pgTool('pg_resetwal', '-x', String(xid), '-D', this.data);
    await this.control('start', '-l', path.join(this.folder, 'log'));
  }

  async destroy(): Promise<void> {
    await this.control('stop', '-m', 'immediate').catch(() => undefined);
    await rm(this.folder, { recursive: true, force: true });
  }

  private async control(...words: string[]): Promise<void> {
    const account = await serverAccount(this.folder);
    // Its children keep the pipes of a start open, so nothing is read from it.
    execFileSync(path.join(debianBinaries!, 'pg_ctl'), ['-D', this.data, '-w', '-s', ...words], {
      cwd: this.folder,
      stdio: 'ignore',
      ...account,
    });
  }
}
