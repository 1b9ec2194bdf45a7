import path from 'node:path';
import { runnerImport } from 'vite';
import type { Plugin } from 'vite';

const source = path.resolve(import.meta.dirname, 'theme-css.tsx');

/**
 * Writes the global styles of the theme into the style sheet of the first paint, which plain style sheets refer to.
 * Chakra would make them in the browser, after its code has run.
 */
export function themeStyles(): Plugin {
  return {
    name: 'theme-styles',
    enforce: 'pre',
    transform: {
      filter: { id: /\/src\/ui\/base\.css$/ },
      async handler(code) {
        const { module, dependencies } = await runnerImport<typeof import('./theme-css.tsx')>(source);
        for (const file of dependencies) this.addWatchFile(path.resolve(file));
        return `${module.themeCss}\n${code}`;
      },
    },
  };
}
