/**
 * Three machines with etcd, Patroni and PostgreSQL, and before them HAProxy and PgBouncer, by the files of
 * `docs/operating/cluster/`. Each machine is an address of the loopback network.
 */
import { randomBytes, randomInt } from 'node:crypto';
import { chown, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir, userInfo } from 'node:os';
import path from 'node:path';
import { execFile } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { Client } from 'pg';
import { serverAccount } from '#server/db/embedded/account.ts';
import { sendSignal } from '../kill/processes.ts';
import { DatabaseNode } from './database-node.ts';
import { Service } from './service.ts';
import type { Site } from './service.ts';
import { assertDocumented, fill } from './templates.ts';
import type { Values } from './templates.ts';

const runFile = promisify(execFile);
const settlesWithinMs = 120_000;
const checkTimeoutMs = 2000;

interface Member {
  name: string;
  role: string;
  state: string;
}

export class Cluster {
  private readonly nodes: DatabaseNode[] = [];
  private readonly services: Service[] = [];
  isSynchronous = true;

  private constructor(
    private readonly site: Site,
    private readonly values: Values,
  ) {}

  /** Makes the folder of a cluster, and starts nothing. @param binaries the folder of PostgreSQL's programs */
  static async create(binaries: string): Promise<Cluster> {
    const folder = await mkdtemp(path.join(tmpdir(), 'dental-counter-failover-'));
    const account = await serverAccount(folder);
    if (account) await chown(folder, account.uid, account.gid);
    return new Cluster({ folder, account }, await valuesFor(folder, binaries, account?.uid));
  }

  /** Starts every program, and waits until the server can connect. */
  async start(): Promise<void> {
    await assertDocumented(this.values);
    await assertFree(this.values);
    for (const [index, name] of ['db1', 'db2', 'db3'].entries()) {
      const own = { NAME: name, ADDRESS: this.values[`DB${index + 1}`]! };
      const folder = path.join(this.site.folder, name);
      const folders = { ETCD_DATA: path.join(folder, 'etcd'), POSTGRESQL_DATA: path.join(folder, 'data') };
      this.nodes.push(
        await DatabaseNode.create(this.site, { ...this.values, ...own, ...folders, POSTGRESQL_SOCKETS: folder }),
      );
    }
    for (const node of this.nodes) node.start();
    await this.whole();
    const users = await this.runSql(await fill('clinic.sql', this.values));
    await this.write(this.values['POOL_USERS']!, users);
    await this.startProxy('haproxy', '-db', '-f', await this.filled('haproxy.cfg'));
    await this.startProxy('pgbouncer', await this.filled('pgbouncer.ini'));
    await this.until('PgBouncer does not connect', async () => {
      const client = new Client({ connectionString: this.pooledUrl, connectionTimeoutMillis: checkTimeoutMs });
      client.on('error', () => undefined);
      return client
        .connect()
        .then(() => client.query('select 1'))
        .then(
          () => true,
          () => false,
        )
        .finally(() => client.end().catch(() => undefined));
    });
  }

  /** The connection string through PgBouncer and HAProxy. */
  get pooledUrl(): string {
    return this.clinicUrl(`${this.values['PROXY']}:6432`);
  }

  /** The connection string that names all machines and no proxy. */
  get directUrl(): string {
    return this.clinicUrl(this.nodes.map(({ address }) => `${address}:5432`).join());
  }

  /** Returns the machine whose Patroni holds the leader's lock. */
  async primary(): Promise<DatabaseNode> {
    let found: DatabaseNode | undefined;
    await this.until('No machine is the primary', async () => {
      const answers = await Promise.all(this.nodes.map(async (node) => (await isPrimary(node)) && node));
      found = answers.find((node) => node !== false);
      return found !== undefined;
    });
    return found!;
  }

  /** Runs a statement on a machine as the superuser. */
  async queryAt<T>({ address }: DatabaseNode, text: string, values: unknown[] = [], database = 'clinic'): Promise<T[]> {
    const client = new Client({
      host: address,
      user: 'postgres',
      password: this.values['SUPERUSER_PASSWORD']!,
      database,
      connectionTimeoutMillis: 5000,
      query_timeout: 60_000,
    });
    client.on('error', () => undefined);
    await client.connect();
    return client
      .query(text, values)
      .then(({ rows }) => rows as T[])
      .finally(() => client.end());
  }

  /** Runs a statement on the primary as the superuser. */
  async query<T>(text: string, values: unknown[] = []): Promise<T[]> {
    return this.queryAt(await this.primary(), text, values);
  }

  /** Opens a connection of the server's role that bypasses both proxies. */
  async connectTo({ address }: DatabaseNode): Promise<Client> {
    const client = new Client({ connectionString: this.clinicUrl(`${address}:5432`), connectionTimeoutMillis: 1000 });
    client.on('error', () => undefined);
    await client.connect();
    return client;
  }

  /** Waits until one machine is the primary, the others follow it, and, in synchronous mode, one of them confirms its commits. */
  async whole(): Promise<void> {
    await this.until('The cluster is not whole', async () => {
      const { members } = (await this.patroni('cluster')) as { members: Member[] };
      const followers = members.filter(({ role, state }) => role !== 'leader' && /^(running|streaming)$/.test(state));
      const isLed = members.some(({ role, state }) => role === 'leader' && state === 'running');
      const confirming = members.filter(({ role }) => role === 'sync_standby').length;
      const [state] = await this.queryAt<{ streaming: number }>(
        await this.primary(),
        `select count(*)::int as streaming from pg_stat_replication where state = 'streaming'`,
        [],
        'postgres',
      );
      return isLed && followers.length === 2 && state!.streaming === 2 && confirming === (this.isSynchronous ? 1 : 0);
    });
  }

  /** Changes the mode of replication, as `patronictl edit-config` does. */
  async setSynchronous(isSynchronous: boolean): Promise<void> {
    const { PATRONI_PASSWORD: password } = this.values;
    const reply = await fetch(`http://${(await this.primary()).address}:8008/config`, {
      method: 'PATCH',
      headers: { authorization: `Basic ${Buffer.from(`patroni:${password}`).toString('base64')}` },
      body: JSON.stringify({ synchronous_mode: isSynchronous, synchronous_mode_strict: isSynchronous }),
    });
    if (!reply.ok) throw new Error(`Patroni refuses the change: ${reply.status} ${await reply.text()}`);
    this.isSynchronous = isSynchronous;
    await this.whole();
  }

  /** Stops replication from a primary, so that its last writes reach no other machine. */
  async stopReplication(primary: DatabaseNode): Promise<void> {
    const senders = await this.queryAt<{ pid: number }>(primary, 'select pid from pg_stat_replication');
    for (const { pid } of senders) sendSignal(pid, 'SIGSTOP');
  }

  /** Returns the last output of every program. */
  async lastWords(): Promise<string> {
    return (await Promise.all([...this.nodes, ...this.services].map((one) => one.lastWords()))).join('\n\n');
  }

  /** Ends every program that this cluster started, and removes its files. */
  async destroy(): Promise<void> {
    await Promise.all([...this.services, ...this.nodes].map((one) => one.kill()));
    await rm(this.site.folder, { recursive: true, force: true });
  }

  private async startProxy(program: string, ...args: string[]): Promise<void> {
    const service = new Service(this.site, program, [program, ...args]);
    this.services.push(service);
    service.start();
  }

  private async runSql(text: string): Promise<string> {
    const { address } = await this.primary();
    const psql = path.join(this.values['POSTGRESQL_BIN']!, 'psql');
    const running = runFile(psql, ['-h', address, '-U', 'postgres', '-v', 'ON_ERROR_STOP=1', '-qAt'], {
      env: { ...process.env, PGPASSWORD: this.values['SUPERUSER_PASSWORD'] },
    });
    running.child.stdin!.end(text);
    return (await running).stdout;
  }

  private async filled(file: string): Promise<string> {
    const to = path.join(this.site.folder, file);
    await this.write(to, await fill(file, this.values));
    return to;
  }

  private async write(file: string, text: string): Promise<void> {
    await writeFile(file, text, { mode: 0o600 });
    if (this.site.account) await chown(file, this.site.account.uid, this.site.account.gid);
  }

  private async patroni(what: string): Promise<unknown> {
    const { address } = await this.primary();
    const reply = await fetch(`http://${address}:8008/${what}`, { signal: AbortSignal.timeout(checkTimeoutMs) });
    return reply.json();
  }

  private clinicUrl(servers: string): string {
    return `postgres://clinic:${this.values['CLINIC_PASSWORD']}@${servers}/clinic`;
  }

  private async until(failure: string, condition: () => Promise<boolean>): Promise<void> {
    const untilMs = Date.now() + settlesWithinMs;
    while (Date.now() < untilMs) {
      if (await condition().catch(() => false)) return;
      await sleep(200);
    }
    throw new Error(`${failure} after ${settlesWithinMs / 1000} s.\n${await this.lastWords()}`);
  }
}

async function isPrimary({ address }: DatabaseNode): Promise<boolean> {
  const options = { signal: AbortSignal.timeout(checkTimeoutMs) };
  return fetch(`http://${address}:8008/primary`, options).then(
    ({ status }) => status === 200,
    () => false,
  );
}

async function valuesFor(folder: string, binaries: string, uid: number | undefined): Promise<Values> {
  const network = `127.${randomInt(1, 255)}.${randomInt(1, 255)}`;
  const name = async (flag: string) => (await runFile('id', [flag, String(uid ?? userInfo().uid)])).stdout.trim();
  const password = () => randomBytes(24).toString('hex');
  return {
    NAME: '',
    ADDRESS: '',
    DB1: `${network}.11`,
    DB2: `${network}.12`,
    DB3: `${network}.13`,
    // Connections on the loopback network come from 127.0.0.1.
    NETWORK: '127.0.0.0/8',
    PROXY: `${network}.1`,
    PROXY_USER: await name('-un'),
    PROXY_GROUP: await name('-gn'),
    POOL_USERS: path.join(folder, 'userlist.txt'),
    ETCD_DATA: '',
    POSTGRESQL_BIN: binaries,
    POSTGRESQL_DATA: '',
    POSTGRESQL_SOCKETS: '',
    // A watchdog would restart the machine that runs the test.
    WATCHDOG: 'off',
    SUPERUSER_PASSWORD: password(),
    REPLICATION_PASSWORD: password(),
    REWIND_PASSWORD: password(),
    PATRONI_PASSWORD: password(),
    CLINIC_PASSWORD: password(),
  };
}

/** Asserts that no program of this machine occupies a port of the cluster, as one that listens on all addresses does. */
async function assertFree({ DB1, DB2, DB3, PROXY }: Values): Promise<void> {
  const databases = [DB1, DB2, DB3].flatMap((address) => [2379, 2380, 5432, 8008].map((port) => ({ address, port })));
  for (const { address, port } of [...databases, { address: PROXY, port: 5000 }, { address: PROXY, port: 6432 }]) {
    await new Promise<void>((resolve, reject) => {
      const probe = createServer().once('error', (error) =>
        reject(new Error(`The test needs port ${port} of ${address}: ${error.message}`)),
      );
      probe.listen(port, address, () => probe.close(() => resolve()));
    });
  }
}
