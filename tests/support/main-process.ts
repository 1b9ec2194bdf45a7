/** `server/main.ts` as a process of its own on the database of a test server, whose tokens it believes. */
import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import type { TestServer } from './server.ts';
import { freePort } from './server-process.ts';

const root = path.resolve(import.meta.dirname, '../..');

export interface MainProcess {
  child: ChildProcess;
  url: string;
  /** What it has printed. */
  output: () => string;
}

/** Resolves when it is ready. Whoever started it ends it. */
export async function startMain(server: TestServer, environment: Record<string, string> = {}): Promise<MainProcess> {
  const port = await freePort();
  // Of a database elsewhere the process takes its secret from there; that of the test server signs the tokens.
  const secret = Buffer.from(server.secret).toString('hex');
  await server.database.$client.query('insert into installation (token_secret) values ($1) on conflict do nothing', [
    secret,
  ]);
  const env = { ...process.env, PORT: String(port), DATABASE_URL: server.connectionString, DEMO: '0', ...environment };
  const child = spawn(process.execPath, ['--import', 'tsx', 'server/main.ts'], {
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
