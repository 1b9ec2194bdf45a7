import { spawn } from 'node:child_process';
import { root } from './lib/run.mjs';
import { ensureInstalled } from './setup.mjs';

const port = Number(process.env.PORT ?? 3000);
/** The proxy in vite.config.ts forwards /api to this port. */
const apiPort = 3001;

await ensureInstalled();
const { createServer } = await import('vite');

const api = spawn(
  process.execPath,
  ['node_modules/tsx/dist/cli.mjs', 'watch', '--clear-screen=false', 'server/main.ts'],
  {
    cwd: root,
    stdio: 'inherit',
    env: { ...process.env, PORT: String(apiPort) },
  },
);
const app = await createServer({ root, server: { port, strictPort: true } });
await app.listen();
app.printUrls();

// The app server stops when the API server does.
api.once('exit', (code) => void app.close().finally(() => process.exit(code ?? 0)));
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => api.kill('SIGTERM'));
