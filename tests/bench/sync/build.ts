/** Builds the benchmark's pages, each with our client or another library, and the clinic's server. */
import type { BrowserContext } from '@playwright/test';
import { execFile } from 'node:child_process';
import { copyFile, mkdir, readFile, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { build } from 'vite';
import type { InlineConfig } from 'vite';
import { projectRoot } from '#server/project-root.ts';

const bench = path.join(projectRoot, 'tests/bench');
export const rivalsFolder = path.join(bench, 'rivals');
const output = path.join(projectRoot, 'dist/bench');
export const pagesFolder = path.join(output, 'pages');
export const clinicServer = path.join(output, 'server/clinic.js');
export const pouchServer = path.join(rivalsFolder, 'pouch-server.mjs');

const quiet: InlineConfig = { root: projectRoot, configFile: false, publicDir: false, logLevel: 'error' };

/** Installs the libraries to compare with and Lighthouse. The app does not depend on them, so only benchmarks do this. */
export async function installRivals(): Promise<void> {
  const changedAt = async (file: string) => (await stat(path.join(rivalsFolder, file)).catch(() => null))?.mtimeMs ?? 0;
  if ((await changedAt('node_modules/.package-lock.json')) >= (await changedAt('package-lock.json'))) return;
  console.log('Installing the libraries to compare with…');
  await promisify(execFile)('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund'], { cwd: rivalsFolder });
}

let built: Promise<void> | null = null;

/** Builds once for all sections of a run. */
export function buildBench(): Promise<void> {
  built ??= buildAll();
  return built;
}

/** Serves the benchmark's modules to the app's page, which imports them. The app itself stays unchanged. */
export async function serveBenchModules(context: BrowserContext): Promise<void> {
  await context.route('**/bench/**/*.js', async (route) => {
    const file = path.join(pagesFolder, new URL(route.request().url()).pathname);
    await route.fulfill({ contentType: 'text/javascript', body: await readFile(file, 'utf8') });
  });
}

/** Without the app's entry file, because these pages are not the app. */
async function buildAll(): Promise<void> {
  await installRivals();
  await rm(output, { recursive: true, force: true });
  await mkdir(path.join(pagesFolder, 'bench'), { recursive: true });
  const pages = ['counter', 'rest', 'limits', 'commit'].map((name) => path.join(bench, `pages/${name}.ts`));
  const arms = ['workbox', 'rxdb', 'pouch'].map((name) => path.join(rivalsFolder, `${name}.mjs`));
  await buildModules([...pages, ...arms]);
  await buildWorker(path.join(rivalsFolder, 'workbox-worker.mjs'));
  await buildServer();
  await copyFile(path.join(bench, 'pages/blank.html'), path.join(pagesFolder, 'bench/blank.html'));
}

async function buildModules(entries: string[]): Promise<void> {
  const input = Object.fromEntries(entries.map((entry) => [path.parse(entry).name, entry]));
  await build({
    ...quiet,
    resolve: {
      alias: [{ find: /^dexie$/, replacement: path.join(projectRoot, 'node_modules/dexie/dist/modern/dexie.min.mjs') }],
    },
    define: { 'process.env.NODE_ENV': '"production"', global: 'globalThis' },
    build: {
      outDir: path.join(pagesFolder, 'bench'),
      emptyOutDir: false,
      target: 'es2022',
      rolldownOptions: { input, preserveEntrySignatures: 'strict', output: { entryFileNames: '[name].js' } },
    },
  });
}

async function buildWorker(entry: string): Promise<void> {
  await build({
    ...quiet,
    define: { 'process.env.NODE_ENV': '"production"' },
    build: {
      outDir: path.join(pagesFolder, 'bench'),
      emptyOutDir: false,
      target: 'es2022',
      rolldownOptions: { input: entry, output: { format: 'iife', entryFileNames: '[name].js' } },
    },
  });
}

/** Builds the server as the app's build does. */
async function buildServer(): Promise<void> {
  await build({
    ...quiet,
    build: {
      ssr: path.join(bench, 'servers/clinic.ts'),
      outDir: path.dirname(clinicServer),
      target: 'node20',
      minify: false,
      rolldownOptions: { output: { entryFileNames: 'clinic.js', codeSplitting: false } },
    },
  });
}
