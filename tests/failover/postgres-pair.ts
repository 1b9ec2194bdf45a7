/** A PostgreSQL primary with a synchronous standby, as an operator runs them. The two data folders change roles with each failover. */
import { execFile, spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { chown, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { Client } from 'pg';
import { serverAccount } from '../../server/db/embedded/account.ts';
import type { Account } from '../../server/db/embedded/account.ts';
import { killTree } from '../kill/processes.ts';
import { freePort } from '../support/server-process.ts';

const runFile = promisify(execFile);
const attempts = 300;

type Place = 0 | 1;
const other = (place: Place): Place => (place === 0 ? 1 : 0);

export class PostgresPair {
  private readonly running: (ChildProcess | undefined)[] = [];
  private primaryPlace: Place = 0;

  private constructor(
    private readonly binaries: string,
    private readonly folder: string,
    private readonly account: Account | undefined,
    private readonly ports: readonly [number, number],
  ) {}

  /** @param binaries the folder of PostgreSQL's programs */
  static async create(binaries: string): Promise<PostgresPair> {
    const folder = await mkdtemp(path.join(tmpdir(), 'dental-counter-failover-'));
    const account = await serverAccount(folder);
    if (account) await chown(folder, account.uid, account.gid);
    const pair = new PostgresPair(binaries, folder, account, [await freePort(), await freePort()]);
    await pair.program('initdb', '-D', pair.data(0), '-U', 'postgres', '-A', 'trust', '--no-sync');
    await pair.start(0);
    await pair.query('create database clinic');
    await pair.addStandby();
    return pair;
  }

  /** The connection string for the server under test. It names both servers and not which one is the primary. */
  get url(): string {
    const places = this.ports.map((port) => `127.0.0.1:${port}`).join();
    return `postgres://postgres@${places}/clinic?target_session_attrs=read-write`;
  }

  /** Runs a statement on the primary. */
  async query<T>(text: string, values: unknown[] = []): Promise<T[]> {
    return this.queryAt(this.primaryPlace, text, values);
  }

  /** Runs a statement on the standby, or on the old primary. */
  async queryOther<T>(text: string): Promise<T[]> {
    return this.queryAt(other(this.primaryPlace), text);
  }

  /** Replaces the other server by a copy of the primary, and makes every commit wait for it. */
  async addStandby(): Promise<void> {
    const place = other(this.primaryPlace);
    await this.kill(place);
    await rm(this.data(place), { recursive: true, force: true });
    const source = `host=127.0.0.1 port=${this.ports[this.primaryPlace]} user=postgres application_name=standby`;
    await this.program(
      'pg_basebackup',
      '-D',
      this.data(place),
      '-d',
      source,
      '-R',
      '-X',
      'stream',
      '-c',
      'fast',
      '--no-sync',
    );
    await this.start(place);
    await this.query(`alter system set synchronous_standby_names = 'standby'`);
    await this.query('select pg_reload_conf()');
    await this.until('The standby does not replicate', async () => {
      const [found] = await this.query<{ sync_state: string }>('select sync_state from pg_stat_replication');
      return found?.sync_state === 'sync';
    });
  }

  /**
   * Kills the primary with all its processes, as a power failure does. Replication stops `momentMs` earlier, so the last
   * writes are lost; the server must not have acknowledged them.
   */
  async killPrimary(momentMs: number): Promise<void> {
    const [sender] = await this.query<{ pid: number }>('select pid from pg_stat_replication');
    process.kill(sender!.pid, 'SIGSTOP');
    await sleep(momentMs);
    await this.kill(this.primaryPlace);
  }

  /** Freezes the primary: it accepts connections and answers nothing. */
  async freezePrimary(): Promise<void> {
    await this.signalAll(this.primaryPlace, 'STOP');
  }

  /** Resumes the frozen old primary, which still believes that it is the primary. */
  async thawOther(): Promise<void> {
    await this.signalAll(other(this.primaryPlace), 'CONT');
  }

  async promoteStandby(): Promise<void> {
    const place = other(this.primaryPlace);
    await this.program('pg_ctl', 'promote', '-D', this.data(place), '-w');
    this.primaryPlace = place;
    // The new primary has no standby yet, so commits must not wait for one.
    await this.query(`alter system set synchronous_standby_names = ''`);
    await this.query('select pg_reload_conf()');
  }

  async destroy(): Promise<void> {
    for (const place of [0, 1] as const) await this.kill(place);
    await rm(this.folder, { recursive: true, force: true });
  }

  private data(place: Place): string {
    return path.join(this.folder, `data-${place}`);
  }

  private async start(place: Place): Promise<void> {
    const settings = {
      port: this.ports[place],
      listen_addresses: '127.0.0.1',
      unix_socket_directories: this.folder,
      synchronous_commit: 'on',
      hot_standby: 'on',
      wal_level: 'replica',
      max_wal_senders: 5,
      cluster_name: `place ${place}`,
    };
    const given = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
    const child = spawn(path.join(this.binaries, 'postgres'), ['-D', this.data(place), ...given], {
      ...this.account,
      cwd: this.folder,
      stdio: 'ignore',
    });
    this.running[place] = child;
    await this.until('PostgreSQL does not start', async () => {
      if (child.exitCode !== null) throw new Error(`PostgreSQL ended with ${child.exitCode}.`);
      return this.queryAt(place, 'select 1', [], 'postgres').then(
        () => true,
        () => false,
      );
    });
  }

  private async kill(place: Place): Promise<void> {
    const child = this.running[place];
    if (child?.exitCode === null && child.signalCode === null) await killTree(child.pid!);
    this.running[place] = undefined;
  }

  private async signalAll(place: Place, signal: 'STOP' | 'CONT'): Promise<void> {
    const { pid } = this.running[place]!;
    const { stdout } = await runFile('pgrep', ['-P', String(pid)]);
    for (const one of [pid!, ...stdout.trim().split('\n').map(Number)]) process.kill(one, `SIG${signal}`);
  }

  private async queryAt<T>(
    place: Place,
    text: string,
    values: unknown[] = [],
    database = text.startsWith('create database') ? 'postgres' : 'clinic',
  ): Promise<T[]> {
    const client = new Client({
      host: '127.0.0.1',
      port: this.ports[place],
      user: 'postgres',
      database,
      connectionTimeoutMillis: 5000,
    });
    client.on('error', () => undefined);
    await client.connect();
    return client
      .query(text, values)
      .then(({ rows }) => rows as T[])
      .finally(() => client.end());
  }

  private async program(name: string, ...args: string[]): Promise<void> {
    await mkdir(this.folder, { recursive: true });
    await runFile(path.join(this.binaries, name), args, { ...this.account, cwd: this.folder });
  }

  private async until(failure: string, condition: () => Promise<boolean>): Promise<void> {
    for (let attempt = 0; attempt < attempts; attempt++) {
      if (await condition()) return;
      await sleep(100);
    }
    throw new Error(`${failure}.`);
  }
}
