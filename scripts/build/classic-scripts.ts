import path from 'node:path';
import { parseAst } from 'vite';
import type { Plugin, Rolldown } from 'vite';

type Bundle = Rolldown.OutputBundle;

/** The global variable that holds the exports of each classic script, by the file name of its module. */
const registry = 'classicExports';
const exportsOf = (fileName: string): string => `${registry}[${JSON.stringify(fileName)}]`;

export const scriptOf = (fileName: string): string => fileName.replace(/\.js$/, '.classic.js');

/** Returns these files and their static imports, each after those that it imports. */
function withImports(bundle: Bundle, fileNames: readonly string[]): string[] {
  const found = new Set<string>();
  const visit = (fileName: string) => {
    const chunk = bundle[fileName];
    if (chunk?.type !== 'chunk' || found.has(fileName)) return;
    chunk.imports.forEach(visit);
    found.add(fileName);
  };
  fileNames.forEach(visit);
  return [...found];
}

/** Returns the files of the wanted chunks. */
const filesWhere = (bundle: Bundle, isWanted: (chunk: Rolldown.OutputChunk) => boolean): string[] =>
  Object.values(bundle).flatMap((file) => (file.type === 'chunk' && isWanted(file) ? [file.fileName] : []));

/** Returns the files of the page's entry and its static imports. */
const entryFiles = (bundle: Bundle): string[] =>
  withImports(
    bundle,
    filesWhere(bundle, ({ isEntry }) => isEntry),
  );

/** Returns the files of chunks that the entry loads by name. */
const filesNamed = (bundle: Bundle, names: readonly string[]): string[] =>
  filesWhere(bundle, ({ name }) => names.includes(name));

const nameOf = (node: { name?: string; value?: unknown }): string => node.name ?? String(node.value);

/** Turns the code of a module into a classic script. Returns it with the names that the module exports. */
function toClassic(fileName: string, code: string): { script: string; exported: string[] } {
  const imports: string[] = [];
  const body: string[] = [];
  const exports = new Map<string, string>();
  for (const node of parseAst(code).body) {
    if (node.type === 'ImportDeclaration') {
      const from = path.posix.join(path.posix.dirname(fileName), node.source.value);
      const taken = node.specifiers.map((specifier) => {
        if (specifier.type !== 'ImportSpecifier') throw new Error(`${fileName} imports all of ${from}.`);
        return `${nameOf(specifier.imported)}:${specifier.local.name}`;
      });
      imports.push(`const{${taken.join(',')}}=${exportsOf(from)};`);
    } else if (node.type === 'ExportNamedDeclaration' && !node.declaration && !node.source) {
      for (const { exported, local } of node.specifiers) exports.set(nameOf(exported), nameOf(local));
    } else if (/^(Import|Export)/.test(node.type)) {
      throw new Error(`${fileName} has a statement that no classic script can have: ${node.type}.`);
    } else body.push(code.slice(node.start, node.end).replaceAll('import.meta', 'importMeta'));
  }
  const given = [...exports].map(([exported, local]) => `${exported}:${local}`).join(',');
  const lines = [...imports, ...body, `${exportsOf(fileName)}={${given}};`].join('\n');
  return {
    script: `(()=>{"use strict";const importMeta={url:document.currentScript.src};${lines}})();`,
    exported: [...exports.keys()],
  };
}

/**
 * Begins the first script. `classicLoad` loads scripts that run in this order, and returns the exports of the last one.
 * A script that could not be loaded is requested again by the next call.
 */
const prelude = `var ${registry}={},classicLoad=(()=>{"use strict";
const loading={};
const load=(file)=>loading[file]??=new Promise((done,fail)=>{
const script=Object.assign(document.createElement("script"),{src:"/"+file.replace(/\\.js$/,".classic.js"),async:false,onload:done,onerror:fail});
document.head.append(script);
}).catch(()=>{delete loading[file];throw new TypeError("Failed to load "+file)});
return async(...files)=>{
await Promise.all(files.filter((file)=>!${registry}[file]).map(load));
return ${registry}[files.at(-1)];
}})();
`;

/**
 * Makes classic scripts of the page's entry with its static imports, and of the chunks with these names. Chromium keeps
 * the compiled code of a classic script that a worker has cached, but never that of a module. A module of the same name
 * gives a script's exports to the other chunks, as they are when the script has run: nothing may change an export later. A
 * dynamic import of a chunk that needs such a module loads the scripts first. The module itself cannot wait for its script:
 * WebKit runs the importers of a module with a top-level `await` before it is done (WebKit bug 242740).
 */
export function classicScripts(names: readonly string[]): Plugin {
  return {
    name: 'classic-scripts',
    apply: 'build',
    enforce: 'post',
    config: () => ({
      build: {
        modulePreload: {
          // The loader of scripts loads what the scripts need.
          resolveDependencies: (file, needed) =>
            names.some((name) => path.posix.basename(file).startsWith(`${name}-`)) ? [] : needed,
        },
      },
    }),
    // A file that this plugin writes in another form needs another name.
    augmentChunkHash: () => prelude + toClassic.toString(),
    generateBundle: {
      // After Vite has listed what each dynamic import preloads.
      order: 'post',
      handler(_options, bundle) {
        const entry = entryFiles(bundle);
        const later = filesNamed(bundle, names);
        const toLoad = withImports(bundle, later).filter((file) => !entry.includes(file));
        const needed = (file: string) => (bundle[file] as Rolldown.OutputChunk).imports;
        /** Returns the expression that loads the scripts which a chunk needs and the entry has not loaded; null if there are none. */
        const loadOf = (file: string): string | null => {
          const scripts = withImports(bundle, [file]).filter((each) => toLoad.includes(each));
          return scripts.length > 0 ? `classicLoad(${scripts.map((each) => JSON.stringify(each)).join(',')})` : null;
        };
        /** The dynamic imports that begin with scripts, each with what takes its place. */
        const loads = Object.values(bundle).flatMap((chunk) => {
          if (chunk.type !== 'chunk') return [];
          const load = loadOf(chunk.fileName);
          const written = `import(\`./${path.posix.basename(chunk.fileName)}\`)`;
          if (load === null) return [];
          return [[written, later.includes(chunk.fileName) ? load : `${load}.then(()=>${written})`] as const];
        });
        for (const chunk of Object.values(bundle)) {
          if (chunk.type !== 'chunk') continue;
          for (const [written, load] of loads) chunk.code = chunk.code.replaceAll(written, load);
          const missed = later.find((file) =>
            new RegExp(`import\\(.\\./${path.posix.basename(file)}`).test(chunk.code),
          );
          if (missed)
            throw new Error(`${chunk.fileName} imports the classic script ${missed} in a way that is not known.`);
        }
        for (const fileName of [...entry, ...later]) {
          const odd = needed(fileName).find((file) => !entry.includes(file) && !later.includes(file));
          if (odd) throw new Error(`The classic script ${fileName} needs the module ${odd}.`);
          const chunk = bundle[fileName] as Rolldown.OutputChunk;
          const styled = chunk.moduleIds.find((id) => /node_modules\/@(chakra-ui|emotion)\//.test(id));
          if (styled) throw new Error(`The first path has plain style sheets, and ${fileName} contains ${styled}.`);
          const { script, exported } = toClassic(fileName, chunk.code);
          const source = fileName === entry[0] ? `${prelude}${script}` : script;
          this.emitFile({ type: 'asset', fileName: scriptOf(fileName), source });
          const taken = exported.map((name, at) => `${name}:v${at}`).join(',');
          const given = exported.map((name, at) => `v${at} as ${name}`).join(',');
          chunk.code = `const{${taken}}=${exportsOf(fileName)};export{${given}};\n`;
        }
      },
    },
    transformIndexHtml: {
      order: 'post',
      handler(html, { bundle }) {
        if (!bundle) return html;
        const scripts = entryFiles(bundle).map((file) => `<script defer src="/${scriptOf(file)}"></script>`);
        return html
          .replaceAll(/\s*<link rel="modulepreload"[^>]*>/g, '')
          .replace(/<script type="module"[^>]*><\/script>/, scripts.join('\n    '));
      },
    },
  };
}
