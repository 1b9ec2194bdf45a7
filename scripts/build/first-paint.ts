import { readFileSync } from 'node:fs';
import type { Alias, Plugin, Rolldown } from 'vite';
import { languages } from '#domain/language.ts';
import { scriptOf } from './classic-scripts.ts';
import { noticeTexts, rescueScript } from './old-engine.ts';

type Bundle = Rolldown.OutputBundle;

const scriptName = 'first-colour.js';
const check = 'src/app/check-engine.js';
const colour = `src/preferences/${scriptName}`;
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
  return `if(navigator.serviceWorker&&navigator.serviceWorker.controller){
var link=function(rel,href){if(!href)return;var made=document.createElement("link");made.rel=rel;made.as="script";made.href=href;document.head.appendChild(made)};
${JSON.stringify(scripts)}.forEach(function(href){link("preload",href)});
link("modulepreload",${JSON.stringify(words)}[localStorage.getItem("i18nextLng")]);
}
`;
}

/**
 * Shortens the way to the first paint and to the first screen, whose chunks are given. The service worker, which may have
 * to start, takes no part in it: the script that sets the colours gets a hash in its name, with which the browser finds it
 * in the cache itself, and the page contains the logo. The same script checks the engine first.
 */
export function firstPaint(chunks: readonly string[], alias: Alias[]): Plugin {
  let fileName = '';
  return {
    name: 'first-paint',
    apply: 'build',
    generateBundle: {
      order: 'pre',
      async handler(_options, bundle) {
        const emit = (name: string, source: string) => this.getFileName(this.emitFile({ type: 'asset', name, source }));
        const rescue = `/${emit('old-engine.js', await rescueScript(alias))}`;
        const notice = `var notice = ${JSON.stringify({ rescue, texts: noticeTexts() })};`;
        const checked = readFileSync(check, 'utf8').replace('var notice = {};', () => notice);
        fileName = emit(scriptName, checked + readFileSync(colour, 'utf8') + preload(bundle, chunks));
      },
    },
    transformIndexHtml: {
      order: 'post',
      handler: (html) =>
        html
          .replace(/\s*<script[^>]*check-engine\.js"><\/script>/, '')
          .replace(`src="/${colour}"`, `src="/${fileName}"`)
          .replace(`src="/${logo}"`, `src="data:image/svg+xml;base64,${readFileSync(`public/${logo}`, 'base64')}"`),
    },
  };
}
