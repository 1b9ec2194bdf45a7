import react from '@vitejs/plugin-react';
import { VitePWA } from 'vite-plugin-pwa';
import { defineConfig } from 'vite';
import { chunkGroups, firstScreen } from './scripts/build/chunks.ts';
import { classicScripts } from './scripts/build/classic-scripts.ts';
import { firstPaint } from './scripts/build/first-paint.ts';
import { buildTarget } from './scripts/build/floors.ts';
import { refuseNewerApis } from './scripts/build/newer-apis.ts';
import { noTopLevelAwait } from './scripts/build/no-top-level-await.ts';
import { precompress } from './scripts/build/precompress.ts';
import { recordOrigins } from './scripts/build/record-origins.ts';
import { themeStyles } from './scripts/build/theme-styles.ts';
import { webApp } from './scripts/build/web-app.ts';

// The entry of the package is its ES5 build. Tests keep it: they would otherwise load two builds, which do not know each other.
const modernDexie = [{ find: /^dexie$/, replacement: 'dexie/dist/modern/dexie.min.mjs' }];

export default defineConfig({
  resolve: { alias: process.env['VITEST'] ? [] : modernDexie },
  plugins: [
    react(),
    themeStyles(),
    firstPaint(firstScreen, modernDexie),
    VitePWA(webApp(modernDexie)),
    recordOrigins(),
    classicScripts(firstScreen),
    noTopLevelAwait(),
    refuseNewerApis(),
    precompress(),
  ],
  // Translations are data: the browser parses them faster as a JSON string than as a program.
  json: { namedExports: false, stringify: true },
  build: {
    outDir: 'dist/app',
    emptyOutDir: true,
    manifest: true,
    target: buildTarget,
    // There is little CSS, and one file is one request.
    cssCodeSplit: false,
    rolldownOptions: { output: { codeSplitting: { groups: chunkGroups } } },
  },
  server: { proxy: { '/api': 'http://127.0.0.1:3001', '/uploads': 'http://127.0.0.1:3001' } },
});
