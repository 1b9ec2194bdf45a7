import { readFileSync } from 'node:fs';
import type { Plugin, Rolldown } from 'vite';
import { languages } from '../../domain/language.ts';
import { scriptOf } from './classic-scripts.ts';

type Bundle = Rolldown.OutputBundle;

const scriptName = 'first-colour.js';
const script = `src/preferences/${scriptName}`;
const logo = 'icons/icon.svg';

/** Returns the address of a chunk. */
function addressOf(bundle: Bundle, name: string): string {
  const chunk = Object.values(bundle).find((file) => file.type === 'chunk' && file.name === name);
  if (!chunk) throw new Error(`The build has no chunk "${name}".`);
  return `/${chunk.fileName}`;
}

/**
 * Returns a script that loads these chunks and the words beside the entry, which would ask for them only after it has run.
 * Only an installed app does so, because it has the files at hand.
 */
function preload(bundle: Bundle, chunks: readonly string[]): string {
  const scripts = chunks.map((name) => scriptOf(addressOf(bundle, name)));
  const words = Object.fromEntries(languages.map((language) => [language, addressOf(bundle, language)]));
  return `if(navigator.serviceWorker?.controller){
const link=(rel,href)=>href&&document.head.append(Object.assign(document.createElement("link"),{rel,as:"script",href}));
for(const href of ${JSON.stringify(scripts)})link("preload",href);
link("modulepreload",${JSON.stringify(words)}[localStorage.getItem("i18nextLng")]);
}
`;
}

/**
 * Shortens the way to the first paint and to the first screen, whose chunks are given. The service worker, which may have
 * to start, takes no part in it: the script that sets the colours gets a hash in its name, with which the browser finds it
 * in the cache itself, and the page contains the logo.
 */
export function firstPaint(chunks: readonly string[]): Plugin {
  let fileName = '';
  return {
    name: 'first-paint',
    apply: 'build',
    generateBundle: {
      order: 'pre',
      handler(_options, bundle) {
        const source = readFileSync(script, 'utf8') + preload(bundle, chunks);
        fileName = this.getFileName(this.emitFile({ type: 'asset', name: scriptName, source }));
      },
    },
    transformIndexHtml: {
      order: 'post',
      handler: (html) =>
        html
          .replace(`src="/${script}"`, `src="/${fileName}"`)
          .replace(`src="/${logo}"`, `src="data:image/svg+xml;base64,${readFileSync(`public/${logo}`, 'base64')}"`),
    },
  };
}
