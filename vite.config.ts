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

/** Our own components that the counter shows. */
const everyScreen = [
  'arrow-keys',
  'badge',
  'button',
  'empty-state',
  'field',
  'icon-button',
  'intl-tag',
  'segmented',
  'skeleton',
  'text-field',
  'toaster',
  'tone',
];

/** What it takes to sell: the tablet's database and the rules of a treatment. */
const everyTablet = [
  'src/db/(database|singletons|ports|worker-messages|rows)',
  'src/db/queries/(catalogue|orders)',
  'src/app/(commands|database|sync-host|use-clinic-settings|use-may|use-moment|use-printing-context)',
  'domain/(money|quantity|search-key|permissions|business-day|result|uuid|order/order|settings/settings)',
];

/** What back-office pages are made of. */
const everyDesk = [
  'check-field',
  'data-table',
  'form-section',
  'full-dialog',
  'page-frame',
  'page-window',
  'pagination',
  'panel',
  'search-field',
  'select-field',
  'spinner',
  'stat-card',
  'swatch',
  'switch',
  'tab-bar',
  'text-area',
  'use-debounced',
  'use-formats',
  'use-list',
  'back-office',
  'draft-form',
  'last-seen',
  'no-answer',
  'server-data',
  'server-call',
  'server-file',
  'call-failed',
  'upload',
  'use-clinic-formats',
  'use-opened',
  'problems',
  'restored-note',
  'form-frames',
  'chart/[a-z-]+',
  'chart-panel',
  'figure-strip',
  'filter-chips',
  'panel-rows',
  'period-choice',
  'ranked-rows',
  'use-address-choice',
  'use-money',
  'report/[a-z-]+',
];

const counterIcons = [
  'circle-check',
  'circle-exclamation-point',
  'clipboard-list',
  'cloud-download',
  'info',
  'message-square-text',
  'minus',
  'plus',
  'rotate-ccw-clock',
  'search',
  'search-x',
  'trash',
  'triangle-exclamation-point',
  'x',
];

/** The files that several pages share; they keep their names. */
const bigFiles = /\b(base|kit|tablet|desk)\b/;

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

/** Where a module comes from: its package, or the folder of ours that it stands in. */
function originOf(id: string): string {
  const inPackage = /.*node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(id);
  if (inPackage) return inPackage[1]!;
  return (
    /(?:\/|^)(src\/(?:features\/)?[^/]+|domain|locales|sw)\//.exec(path.relative(import.meta.dirname, id))?.[1] ??
    'the bundler'
  );
}

/** Leaves beside the manifest what each file is made of, for the report of `scripts/bundle-size.mjs`: characters by origin. */
function noteOrigins(): Plugin {
  return {
    name: 'note-origins',
    apply: 'build',
    generateBundle(_options, bundle) {
      const origins = Object.values(bundle).flatMap((file) => {
        if (file.type !== 'chunk') return [];
        const lengths: Record<string, number> = {};
        for (const [id, { renderedLength }] of Object.entries(file.modules))
          lengths[originOf(id)] = (lengths[originOf(id)] ?? 0) + renderedLength;
        return [[file.fileName, lengths] as const];
      });
      this.emitFile({
        type: 'asset',
        fileName: '.vite/origins.json',
        source: JSON.stringify(Object.fromEntries(origins)),
      });
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
      // The system keeps the icons of what it has installed.
      includeManifestIcons: false,
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
          build.logLevel = 'warn';
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
          {
            src: '/screenshots/wide.png',
            sizes: '1280x800',
            type: 'image/png',
            form_factor: 'wide',
            label: 'The counter',
          },
          {
            src: '/screenshots/narrow.png',
            sizes: '780x1688',
            type: 'image/png',
            form_factor: 'narrow',
            label: 'The counter on a phone',
          },
        ],
        shortcuts: [
          { name: 'Counter', url: '/counter', icons: [{ src: '/icons/icon-192.png', sizes: '192x192' }] },
          { name: 'Outbox', url: '/outbox', icons: [{ src: '/icons/icon-192.png', sizes: '192x192' }] },
        ],
      },
    }),
    noteOrigins(),
    precompress(),
  ],
  // Words are data: the browser reads them faster as such than as a program.
  json: { namedExports: false, stringify: true },
  build: {
    outDir: 'dist/app',
    emptyOutDir: true,
    manifest: true,
    target: 'es2022',
    // There is little of it, and one file is one answer to wait for.
    cssCodeSplit: false,
    // A page that is opened later announces its large files alone: the names of all the small ones, in front of every such
    // page, would weigh more than they save.
    modulePreload: {
      resolveDependencies: (_file, files, { hostType }) =>
        hostType === 'html' ? files : files.filter((file) => bigFiles.test(file)),
    },
    rolldownOptions: {
      output: {
        // The worker's list of what to keep names every file: the small ones go by their hash alone.
        hashCharacters: 'hex',
        chunkFileNames: ({ name }) => (bigFiles.test(name) ? 'assets/[name]-[hash].js' : 'assets/[hash].js'),
        // What every page needs, as one file: it compresses better together, and stays cached when only our own code changes.
        // What the counter shares with the desk travels the same way: in many small files it would weigh a tenth more.
        codeSplitting: {
          groups: [
            { name: 'base', test: new RegExp(`node_modules/(${everyPage.join('|')})/`) },
            {
              name: 'kit',
              test: new RegExp(
                `/src/ui/(${everyScreen.join('|')})\\.ts|lucide-react/dist/esm/(?!icons)|icons/(${counterIcons.join('|')})\\.|/src/(session/(session|cookie|token)|app/(activity|i18n|worker-state))\\.ts`,
              ),
            },
            { name: 'tablet', test: new RegExp(`node_modules/dexie|/(${everyTablet.join('|')})\\.ts`) },
            { name: 'icons', test: /lucide-react/ },
            { name: 'net', test: /node_modules\/ky\/|\/src\/api\/client|\/domain\/protocol\/errors/ },
            { name: 'verifier', test: /\/src\/session\/(pin|verifier|unlock)\.ts/ },
            { name: 'overlays', test: /\/src\/ui\/(banner|dialog|drawer)\.tsx/ },
            {
              name: 'desk',
              test: new RegExp(
                `node_modules/(@tanstack/(react-)?query|react-hook-form)|/(src/(ui|parts|app|api)|domain)/(${everyDesk.join('|')})\\.ts`,
              ),
            },
          ],
        },
      },
    },
  },
  server: { proxy: { '/api': 'http://127.0.0.1:3001', '/uploads': 'http://127.0.0.1:3001' } },
  test: {
    environment: 'node',
    include: ['tests/{domain,src,sw,server,house,simulation}/**/*.test.{ts,tsx}'],
    globalSetup: ['tests/support/global-setup.ts'],
    // The developers' machines and CI may have two cores, and PostgreSQL wants one of them.
    maxWorkers: 2,
    // What collects garbage in one worker would only take the core from the other.
    execArgv: ['--single-threaded-gc'],
    testTimeout: 15_000,
    // A database of its own and the demo clinic are made in a hook.
    hookTimeout: 60_000,
  },
});
