import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import type { Plugin } from 'vite';

/** Writes a Brotli and a gzip version beside each text file, so that the server never compresses while a tablet waits. */
export function precompress(): Plugin {
  let outDir = '';
  return {
    name: 'precompress',
    apply: 'build',
    configResolved: ({ root, build }) => {
      outDir = path.resolve(root, build.outDir);
    },
    closeBundle: {
      // The service worker is written in a `closeBundle` hook too.
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
