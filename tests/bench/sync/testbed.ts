/** The testbed of the comparison: a durable PostgreSQL, the servers, proxies that add delay, and a browser. */
import { chromium } from '@playwright/test';
import type { Browser, Page } from '@playwright/test';
import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Pool } from 'pg';
import { startEmbeddedPostgres } from '#server/db/embedded/embedded-postgres.ts';
import { chromiumOptions } from '#tests/support/chromium.ts';
import { FaultProxy } from '#tests/support/fault-proxy.ts';
import { freePort } from '#tests/support/server-process.ts';
import { buildBench, clinicServer, pagesFolder, pouchServer } from './build.ts';

/** Milliseconds that the network adds to each request. */
export type Delay = 0 | 50;

type Server = 'clinic' | 'pouch';

export interface Testbed {
  sql: Pool;
  /** Opens an empty page in a new browser profile; `page.context().close()` closes it. */
  page(server: Server, delay: Delay): Promise<Page>;
  originOf(server: Server, delay: Delay): string;
  clinicUrl: string;
  end(): Promise<void>;
}

export async function startTestbed(): Promise<Testbed> {
  await buildBench();
  const folder = await mkdtemp(path.join(tmpdir(), 'dental-counter-bench-'));
  const postgres = await startEmbeddedPostgres({ dataDir: folder });
  const [clinicPort, pouchPort] = [await freePort(), await freePort()];
  const { connectionString } = postgres;
  const environment = { PORT: String(clinicPort), DATABASE_URL: connectionString, DEMO: '1' };
  const clinic = serve([clinicServer], environment, folder);
  // Its bookings are TypeScript.
  const tsx = ['--import', import.meta.resolve('tsx')];
  const pouch = serve([...tsx, pouchServer, String(pouchPort), pagesFolder, connectionString], {}, folder);
  const ports = { clinic: clinicPort, pouch: pouchPort };
  for (const port of Object.values(ports)) await answering(`http://127.0.0.1:${port}/bench/blank.html`);
  const slow = { clinic: await delayed(clinicPort), pouch: await delayed(pouchPort) };
  const browser = await chromium.launch(chromiumOptions);
  const sql = new Pool({ connectionString, max: 2 });
  const originOf = (server: Server, delay: Delay) =>
    delay === 0 ? `http://127.0.0.1:${ports[server]}` : slow[server].url;
  return {
    sql,
    page: (server, delay) => emptyPage(browser, originOf(server, delay)),
    originOf,
    clinicUrl: originOf('clinic', 0),
    async end() {
      await browser.close();
      for (const proxy of Object.values(slow)) await proxy.close();
      for (const child of [clinic, pouch]) await ended(child);
      await sql.end();
      await postgres.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

function serve(args: string[], environment: Record<string, string>, cwd: string): ChildProcess {
  const env = { ...process.env, NODE_ENV: 'production', ...environment };
  const child = spawn(process.execPath, args, { cwd, env, stdio: ['ignore', 'ignore', 'inherit'] });
  // This ends the child even if the comparison fails early.
  process.once('exit', () => child.kill());
  return child;
}

async function answering(url: string): Promise<void> {
  for (let attempt = 0; attempt < 150; attempt++) {
    const reply = await fetch(url).catch(() => null);
    if (reply?.ok) return;
    await sleep(100);
  }
  throw new Error(`${url} does not respond.`);
}

/** Starts a proxy that adds half of the delay to the request and half to the reply. */
async function delayed(port: number): Promise<FaultProxy> {
  const proxy = await FaultProxy.before(port);
  proxy.mode = { type: 'slow', delayMs: 25 };
  return proxy;
}

async function emptyPage(browser: Browser, origin: string): Promise<Page> {
  const context = await browser.newContext();
  const page = await context.newPage();
  await page.goto(`${origin}/bench/blank.html`);
  return page;
}

async function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) return;
  const exit = new Promise((resolve) => child.once('exit', resolve));
  child.kill();
  await exit;
}
