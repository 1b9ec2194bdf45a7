/** A machine of the cluster: a member of etcd, and Patroni with its PostgreSQL. It fails as a whole. */
import { chown, mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { descendants, killTree, sendSignal } from '../kill/processes.ts';
import { Service } from './service.ts';
import type { Site } from './service.ts';
import { fill } from './templates.ts';
import type { Values } from './templates.ts';

export class DatabaseNode {
  private constructor(
    readonly name: string,
    readonly address: string,
    private readonly dataFolder: string,
    private readonly etcd: Service,
    private readonly patroni: Service,
  ) {}

  static async create(site: Site, values: Values): Promise<DatabaseNode> {
    const { NAME: name, ADDRESS: address, POSTGRESQL_DATA: dataFolder } = values as Record<string, string>;
    const folder = path.join(site.folder, name!);
    await mkdir(folder, { mode: 0o700 });
    const files = ['etcd.yml', 'patroni.yml'].map((file) => ({ file, to: path.join(folder, file) }));
    for (const { file, to } of files) await writeFile(to, await fill(file, values), { mode: 0o600 });
    if (site.account) {
      const { uid, gid } = site.account;
      for (const owned of [folder, ...files.map(({ to }) => to)]) await chown(owned, uid, gid);
    }
    const own = { ...site, folder };
    return new DatabaseNode(
      name!,
      address!,
      dataFolder!,
      new Service(own, `${name}-etcd`, ['etcd', '--config-file', files[0]!.to]),
      new Service(own, `${name}-patroni`, ['patroni', files[1]!.to]),
    );
  }

  start(): void {
    this.etcd.start();
    this.patroni.start();
  }

  /** Ends all processes at once without warning, as a power failure does. */
  async kill(): Promise<void> {
    const postmaster = await this.postmaster();
    await Promise.all([this.patroni.kill(), this.etcd.kill(), postmaster !== undefined && killTree(postmaster)]);
  }

  /** Freezes all processes: the machine accepts connections and answers nothing. */
  async freeze(): Promise<void> {
    await signalTrees('SIGSTOP', [this.patroni.pid, this.etcd.pid, await this.postmaster()]);
  }

  /** Resumes PostgreSQL, which does not know that time has passed. Nobody can tell it: Patroni is still frozen. */
  async thawPostgresql(): Promise<void> {
    await signalTrees('SIGCONT', [await this.postmaster()]);
  }

  /** Resumes Patroni and etcd. */
  async thawPatroni(): Promise<void> {
    await signalTrees('SIGCONT', [this.etcd.pid, this.patroni.pid]);
  }

  async lastWords(): Promise<string> {
    return `${await this.etcd.lastWords()}\n${await this.patroni.lastWords()}`;
  }

  /** Returns the process id of the running PostgreSQL, which is no child of Patroni. */
  private async postmaster(): Promise<number | undefined> {
    const text = await readFile(path.join(this.dataFolder, 'postmaster.pid'), 'utf8').catch(() => '');
    const pid = Number.parseInt(text, 10);
    // The file survives a kill, and its number may by now belong to a stranger.
    const command = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '');
    return command.split('\0').some((word) => word.includes(this.dataFolder)) ? pid : undefined;
  }
}

async function signalTrees(signal: 'SIGSTOP' | 'SIGCONT', roots: readonly (number | undefined)[]): Promise<void> {
  // A parent stops before its children are listed, so that none is missed.
  for (const root of roots.filter((pid) => pid !== undefined)) {
    sendSignal(root, signal);
    for (const pid of await descendants(root)) sendSignal(pid, signal);
  }
}
