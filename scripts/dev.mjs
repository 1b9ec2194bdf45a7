import { spawn } from 'node:child_process';
import { root } from './lib/run.mjs';
import { ensureInstalled } from './setup.mjs';

const port = Number(process.env.PORT ?? 3000);
/** Where vite.config.ts sends what begins with /api. */
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

// Neither is of use without the other.
api.once('exit', (code) => void app.close().finally(() => process.exit(code ?? 0)));
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => api.kill('SIGTERM'));
