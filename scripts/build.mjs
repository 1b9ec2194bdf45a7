import { build } from 'vite';
import { root } from './lib/run.mjs';
import { fingerprintOf, recordFingerprint, targets } from './lib/sources.mjs';

const builders = { app: buildApp, server: buildServer };

async function buildApp() {
  await build({ root, logLevel: 'warn' });
}

/** One file, so that the server starts fast; packages stay where they are installed. */
async function buildServer() {
  await build({
    root,
    configFile: false,
    publicDir: false,
    logLevel: 'warn',
    build: {
      ssr: 'server/main.ts',
      outDir: 'dist/server',
      emptyOutDir: true,
      target: 'node20',
      sourcemap: true,
      minify: false,
      rolldownOptions: { output: { entryFileNames: 'main.js', codeSplitting: false } },
    },
  });
}

const wanted = process.argv.length > 2 ? process.argv.slice(2) : Object.keys(targets);
for (const target of wanted) {
  const fingerprint = fingerprintOf(target);
  await builders[target]();
  recordFingerprint(target, fingerprint);
}
