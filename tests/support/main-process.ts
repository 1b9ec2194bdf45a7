/** Runs the server as a separate process, with the database and the token secret of a test server. */
import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import type { TestServer } from './server.ts';
import { freePort } from './server-process.ts';

const root = path.resolve(import.meta.dirname, '../..');

interface Sources {
  isStale: (target: 'server') => boolean;
}
// The scripts are plain JavaScript without types, because they run before any package is installed.
const { isStale } = (await import(pathToFileURL(path.join(root, 'scripts/lib/sources.mjs')).href)) as Sources;

/** Returns Node's arguments for a program of the server: its build, which starts in a third of the time, unless that is stale. */
export function serverProgram(name: 'main' | 'tools'): string[] {
  return isStale('server')
    ? ['--import', import.meta.resolve('tsx'), path.join(root, `server/${name}.ts`)]
    : [path.join(root, `dist/server/${name}.js`)];
}

export interface MainProcess {
  child: ChildProcess;
  url: string;
  /** Returns everything that the process has printed. */
  output: () => string;
}

/** Starts the process and resolves when it is ready. The caller ends it. */
export async function startMain(server: TestServer, environment: Record<string, string> = {}): Promise<MainProcess> {
  const port = await freePort();
  // With `DATABASE_URL` the server reads its token secret from the database.
  const secret = Buffer.from(server.secret).toString('hex');
  await server.database.$client.query('insert into installation (token_secret) values ($1) on conflict do nothing', [
    secret,
  ]);
  const env = { ...process.env, PORT: String(port), DATABASE_URL: server.connectionString, DEMO: '0', ...environment };
  const child = spawn(process.execPath, serverProgram('main'), {
    cwd: root,
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let output = '';
  await new Promise<void>((resolve, reject) => {
    child.once('exit', () => reject(new Error(`The server ended: ${output}`)));
    child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()).includes('is ready') && resolve());
  });
  return { child, url: `http://127.0.0.1:${port}`, output: () => output };
}

export async function exitOf(child: ChildProcess): Promise<{ code: number | null; ms: number }> {
  const startedMs = performance.now();
  const [code] = (await once(child, 'exit')) as [number | null];
  return { code, ms: performance.now() - startedMs };
}
