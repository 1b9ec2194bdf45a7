import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import react from '@vitejs/plugin-react';
import type { Plugin } from 'vite';
import { VitePWA } from 'vite-plugin-pwa';
import { defineConfig } from 'vitest/config';

const everyPage = [
  'react',
  'react-dom',
  'scheduler',
  '@chakra-ui',
  '@emotion',
  '@pandacss',
  'stylis',
  'react-router',
  'react-router-dom',
  'i18next',
  'react-i18next',
  'zustand',
  'use-sync-external-store',
];

/** Compresses once, at build time, so that the server never spends a tablet's waiting time on it. */
function precompress(): Plugin {
  let outDir = '';
  return {
    name: 'precompress',
    apply: 'build',
    configResolved: ({ root, build }) => {
      outDir = path.resolve(root, build.outDir);
    },
    closeBundle: {
      order: 'post',
      sequential: true,
      handler() {
        for (const file of readdirSync(outDir, { recursive: true, encoding: 'utf8' })) {
          if (!/\.(js|css|html|svg|webmanifest)$/.test(file)) continue;
          const source = readFileSync(path.join(outDir, file));
          writeFileSync(path.join(outDir, `${file}.br`), brotliCompressSync(source));
          writeFileSync(path.join(outDir, `${file}.gz`), gzipSync(source, { level: 9 }));
        }
      },
    },
  };
}

/** The package's entry is its ES5 build; the browsers that this app supports take the smaller modern one. */
const modernDexie = { find: /^dexie$/, replacement: 'dexie/dist/modern/dexie.min.mjs' };

export default defineConfig({
  // Tests run packages as Node resolves them, and two builds of Dexie in one process would not know each other.
  resolve: { alias: process.env['VITEST'] ? [] : [modernDexie] },
  plugins: [
    react(),
    VitePWA({
      strategies: 'injectManifest',
      srcDir: 'sw',
      filename: 'sw.js',
      injectRegister: false,
      registerType: 'prompt',
      injectManifest: {
        rollupFormat: 'iife',
        // The plugin adds the manifest and its icons. Letters beyond western Europe are fetched when a name needs them.
        globPatterns: ['**/*.{js,css,html,svg,woff2}'],
        globIgnores: ['sw.js', '**/*latin-ext*'],
      },
      integration: {
        // The plugin names its output after its input; the worker's source is `sw/index.ts`, its address `/sw.js`.
        configureCustomSWViteBuild(build) {
          if (build.build?.lib) build.build.lib.entry = path.resolve(import.meta.dirname, 'sw/index.ts');
          build.resolve = { ...build.resolve, alias: [modernDexie] };
        },
      },
      manifest: {
        id: '/',
        scope: '/',
        start_url: '/',
        display: 'standalone',
        name: 'Dental Counter',
        short_name: 'Counter',
        description: 'The counter and back office of a dental clinic, with or without a network.',
        lang: 'en',
        theme_color: '#f6f5f1',
        background_color: '#f6f5f1',
        categories: ['business', 'medical', 'productivity'],
        icons: [
          { src: '/icons/icon-192.png', sizes: '192x192', type: 'image/png', purpose: 'any' },
          { src: '/icons/icon-512.png', sizes: '512x512', type: 'image/png', purpose: 'any' },
          { src: '/icons/maskable-512.png', sizes: '512x512', type: 'image/png', purpose: 'maskable' },
        ],
        screenshots: [
          { src: '/screenshots/wide.png', sizes: '1280x800', type: 'image/png', form_factor: 'wide', label: 'The counter' },
          { src: '/screenshots/narrow.png', sizes: '780x1688', type: 'image/png', form_factor: 'narrow', label: 'The counter on a phone' },
        ],
        shortcuts: [
          { name: 'Counter', url: '/', icons: [{ src: '/icons/icon-192.png', sizes: '192x192' }] },
          { name: 'Outbox', url: '/outbox', icons: [{ src: '/icons/icon-192.png', sizes: '192x192' }] },
        ],
      },
    }),
    precompress(),
  ],
  build: {
    outDir: 'dist/app',
    emptyOutDir: true,
    manifest: true,
    target: 'es2022',
    rolldownOptions: {
      output: {
        // What every page needs, as one file: it compresses better together, and stays cached when only our own code changes.
        codeSplitting: { groups: [{ name: 'base', test: new RegExp(`node_modules/(${everyPage.join('|')})/`) }] },
      },
    },
  },
  server: { proxy: { '/api': 'http://127.0.0.1:3001' } },
  test: {
    environment: 'node',
    include: ['tests/{domain,db,sync,server,ui,house,simulation}/**/*.test.{ts,tsx}'],
    globalSetup: ['tests/support/global-setup.ts'],
    // The developers' machines and CI may have two cores, and PostgreSQL wants one of them.
    maxWorkers: 2,
    testTimeout: 15_000,
  },
});
