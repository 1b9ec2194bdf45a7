import { root } from './lib/run.mjs';
import { fingerprintOf, recordFingerprint, targets } from './lib/sources.mjs';
import { ensureInstalled } from './setup.mjs';

await ensureInstalled();
const { build } = await import('vite');

const builders = { app: buildApp, server: buildServer };

async function buildApp() {
  await build({ root, logLevel: 'warn' });
}

/** Few files, so that the server starts fast; packages stay where they are installed. A thread has its own entry. */
async function buildServer() {
  await build({
    root,
    configFile: false,
    publicDir: false,
    logLevel: 'warn',
    build: {
      ssr: true,
      outDir: 'dist/server',
      emptyOutDir: true,
      target: 'node20',
      sourcemap: true,
      minify: false,
      rolldownOptions: {
        input: [
          'server/main.ts',
          'server/tools.ts',
          'server/modules/exports/pdf-worker.ts',
          'server/modules/uploads/picture-decoder.mjs',
        ],
        output: { entryFileNames: '[name].js', chunkFileNames: '[name].js' },
      },
    },
  });
}

const wanted = process.argv.length > 2 ? process.argv.slice(2) : Object.keys(targets);
for (const target of wanted) {
  const fingerprint = fingerprintOf(target);
  await builders[target]();
  recordFingerprint(target, fingerprint);
}
