import path from 'node:path';
import type { Plugin } from 'vite';

const root = path.resolve(import.meta.dirname, '../..');

/** Returns the package that a module belongs to, or the folder of this project. */
function originOf(id: string): string {
  const inPackage = /.*node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(id);
  if (inPackage?.[1]) return inPackage[1];
  return /^(src\/(?:features\/)?[^/]+|domain|locales|sw)\//.exec(path.relative(root, id))?.[1] ?? 'the bundler';
}

/** Writes `.vite/origins.json`, which `scripts/bundle-size.mjs` reports from: per chunk, the characters of each origin. */
export function recordOrigins(): Plugin {
  return {
    name: 'record-origins',
    apply: 'build',
    generateBundle(_options, bundle) {
      const origins: Record<string, Record<string, number>> = {};
      for (const file of Object.values(bundle)) {
        if (file.type !== 'chunk') continue;
        const lengths: Record<string, number> = (origins[file.fileName] = {});
        for (const [id, { renderedLength }] of Object.entries(file.modules))
          lengths[originOf(id)] = (lengths[originOf(id)] ?? 0) + renderedLength;
      }
      this.emitFile({ type: 'asset', fileName: '.vite/origins.json', source: JSON.stringify(origins) });
    },
  };
}
