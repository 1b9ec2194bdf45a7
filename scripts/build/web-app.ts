import path from 'node:path';
import type { Alias } from 'vite';
import type { VitePWAOptions } from 'vite-plugin-pwa';

/** Returns the options of the web app manifest and of the service worker, which lists every file that the app needs offline. */
export const webApp = (alias: Alias[]): Partial<VitePWAOptions> => ({
  strategies: 'injectManifest',
  srcDir: 'sw',
  filename: 'sw.js',
  injectRegister: false,
  registerType: 'prompt',
  // The system keeps the icons of an installed app.
  includeManifestIcons: false,
  injectManifest: {
    rollupFormat: 'iife',
    // The plugin adds the web app manifest. Letters beyond western Europe are fetched when a name needs them.
    globPatterns: ['**/*.{js,css,html,svg,woff2}'],
    globIgnores: ['sw.js', '**/*latin-ext*'],
  },
  integration: {
    // The plugin names its output after its input, but `sw/index.ts` becomes `/sw.js`.
    configureCustomSWViteBuild(build) {
      if (build.build?.lib) build.build.lib.entry = path.resolve(import.meta.dirname, '../../sw/index.ts');
      build.resolve = { ...build.resolve, alias };
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
});
