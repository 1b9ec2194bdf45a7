/** Runs the built server as a separate process with its own data folder, which tests can stop, kill and restart. */
import { execFile, spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { rmSync } from 'node:fs';
import { cp, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { Client } from 'pg';
import { embeddedUrl } from '#server/db/embedded/embedded-postgres.ts';
import { runningPostmaster } from '#server/db/embedded/postmaster.ts';
import { moveWorkerClock } from './fixed-run/browser-clock.ts';

const projectRoot = path.resolve(import.meta.dirname, '../..');

/** The folder whose build the servers of this run serve. */
const servedVariable = 'BUILD_OF_TESTS';
const servedRoot = (): string => process.env[servedVariable] ?? projectRoot;

export async function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer().once('error', reject);
    probe.listen(0, '127.0.0.1', () => {
      const { port } = probe.address() as { port: number };
      probe.close(() => resolve(port));
    });
  });
}

/** Copies the build, so that a test can change it as a release would. */
export async function copyBuild(): Promise<string> {
  const copy = await mkdtemp(path.join(tmpdir(), 'dental-counter-build-'));
  for (const part of ['package.json', 'dist', 'server/db/migrations']) {
    await cp(path.join(servedRoot(), part), path.join(copy, part), { recursive: true });
  }
  await symlink(path.join(projectRoot, 'node_modules'), path.join(copy, 'node_modules'));
  return copy;
}

/** Turns a copied build into the next release: changes the service worker, and the page, which gets a `release` tag. */
export async function release(build: string): Promise<void> {
  const app = path.join(build, 'dist/app');
  const change = async (file: string, from: string | RegExp, to: string) => {
    const text = await readFile(path.join(app, file), 'utf8');
    const changed = text.replace(from, to);
    if (changed === text) throw new Error(`${file} does not contain the text that a release changes.`);
    await writeFile(path.join(app, file), changed);
    for (const packed of ['br', 'gz']) await rm(path.join(app, `${file}.${packed}`), { force: true });
  };
  await change('index.html', '<title>', '<meta name="release" content="next"><title>');
  await change('sw.js', /(\{"revision":")[0-9a-f]+(","url":"index\.html"\})/, '$1ffffffffffffffffffffffffffffffff$2');
}

export class ServerProcess {
  private child: ChildProcess | null = null;
  private output = '';
  /** The session of `api`. */
  private token: string | null = null;
  /** Of the accounts `admin`, `manager` and `counter`. */
  emailDomain = 'demo.test';

  private constructor(
    readonly port: number,
    readonly dataDir: string,
    private readonly environment: Record<string, string>,
    private readonly root: string,
  ) {}

  /** Starts a server with the demo data in a new folder. @param root the folder of the build; that of the run by default */
  static async create(
    environment: Record<string, string> = {},
    root = servedRoot(),
    folder?: string,
  ): Promise<ServerProcess> {
    const dataDir = folder ?? (await mkdtemp(path.join(tmpdir(), 'dental-counter-e2e-')));
    // The system's `cp -a` keeps the owner of the database files, which is another account.
    if (!environment['DATABASE_URL']) await promisify(execFile)('cp', ['-a', `${await demoFolder()}/.`, dataDir]);
    const server = new ServerProcess(await freePort(), dataDir, environment, root);
    await server.start();
    return server;
  }

  /** Starts a server in an empty folder. */
  static async first(dataDir: string, environment: Record<string, string> = {}): Promise<ServerProcess> {
    const server = new ServerProcess(await freePort(), dataDir, environment, servedRoot());
    await server.start();
    return server;
  }

  /** What the process has printed, its log included. */
  get printed(): string {
    return this.output;
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  /** Process id of the running server. */
  get pid(): number {
    return this.child!.pid!;
  }

  async start(): Promise<void> {
    const env = {
      ...process.env,
      PORT: String(this.port),
      HOST: '127.0.0.1',
      DATA_DIR: this.dataDir,
      DEMO: '1',
      CLINIC_LANGUAGE: 'en',
      ...this.environment,
    };
    const child = spawn(process.execPath, [path.join(this.root, 'dist/server/main.js')], {
      env,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    this.child = child;
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (chunk: Buffer) => (this.output += chunk.toString()));
    for (let attempt = 0; attempt < 3000; attempt++) {
      if (child.exitCode !== null) throw new Error(`The server ended: ${this.output}`);
      if (await this.isHealthy()) return;
      await new Promise((resolve) => setTimeout(resolve, 30));
    }
    throw new Error(`The server did not start: ${this.output}`);
  }

  private async isHealthy(): Promise<boolean> {
    try {
      return (await fetch(`${this.url}/api/health`)).ok;
    } catch {
      return false;
    }
  }

  /** Stops the server: SIGTERM lets it shut down cleanly, SIGKILL does not. */
  async stop(signal: 'SIGTERM' | 'SIGKILL' = 'SIGTERM'): Promise<void> {
    const { child } = this;
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    const ended = new Promise((resolve) => child.once('exit', resolve));
    child.kill(signal);
    await ended;
    this.child = null;
  }

  async destroy(): Promise<void> {
    // A killed server leaves its PostgreSQL running; a clean start and stop ends it.
    if (!this.child) await this.start();
    await this.stop();
    await rm(this.dataDir, { recursive: true, force: true });
  }

  /** @returns the bearer token of the administrator */
  async signIn(): Promise<string> {
    const login = await fetch(`${this.url}/api/users/login`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ email: `admin@${this.emailDomain}`, password: 'demo-admin' }),
    });
    const { data } = (await login.json()) as { data: { accessToken: string } };
    return data.accessToken;
  }

  /** Calls the API as an administrator. A request with a body is a POST by default. */
  async api<T>(pathname: string, body?: object, method = body ? 'POST' : 'GET'): Promise<T> {
    const call = async () => {
      this.token ??= await this.signIn();
      const headers = {
        authorization: `Bearer ${this.token}`,
        ...(body && { 'content-type': 'application/json' }),
      };
      return fetch(`${this.url}/api${pathname}`, { method, headers, ...(body && { body: JSON.stringify(body) }) });
    };
    let reply = await call();
    if (reply.status === 401) {
      // A restore ends the sessions that are younger than the backup.
      this.token = null;
      reply = await call();
    }
    return (await reply.json()) as T;
  }

  /** Runs a statement in the server's own PostgreSQL. */
  async query<T>(text: string, values: unknown[] = []): Promise<T[]> {
    const postmaster = await runningPostmaster(path.join(this.dataDir, 'postgresql'));
    if (!postmaster) throw new Error('PostgreSQL is not running.');
    const client = new Client(embeddedUrl(postmaster.socketFolder));
    await client.connect();
    return client
      .query(text, values)
      .then(({ rows }) => rows as T[])
      .finally(() => client.end());
  }
}

let demoMade: Promise<string> | null = null;
const folderOfRun = 'DEMO_FOLDER_OF_TESTS';

/** Returns the data folder of a stopped demo clinic, created once: copying it is much faster than creating another. */
function demoFolder(): Promise<string> {
  demoMade ??= Promise.resolve(process.env[folderOfRun] ?? makeDemoFolder());
  return demoMade;
}

async function makeDemoFolder(): Promise<string> {
  const dataDir = await mkdtemp(path.join(tmpdir(), 'dental-counter-demo-'));
  process.once('exit', () => rmSync(dataDir, { recursive: true, force: true }));
  const server = await ServerProcess.first(dataDir);
  await server.stop();
  return dataDir;
}

/** Creates the demo clinic for the processes that this one starts, so that they copy the same. */
export async function shareDemoFolder(): Promise<void> {
  process.env[folderOfRun] = await demoFolder();
}

/** Has the processes that this one starts serve a copy of the build in which the worker has the clock of the run. */
export async function shareBuild(): Promise<void> {
  const build = await copyBuild();
  process.once('exit', () => rmSync(build, { recursive: true, force: true }));
  await moveWorkerClock(build);
  process.env[servedVariable] = build;
}
