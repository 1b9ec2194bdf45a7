import { describe, expect, test } from 'vitest';
import vm from 'node:vm';
import { classicScripts } from '../../scripts/build/classic-scripts.ts';
import { hasTopLevelAwait } from '../../scripts/build/no-top-level-await.ts';

interface Chunk {
  type: 'chunk';
  fileName: string;
  name: string;
  isEntry: boolean;
  imports: string[];
  code: string;
  moduleIds: string[];
}

const chunk = (name: string, code: string, imports: string[] = []): Chunk => ({
  type: 'chunk',
  fileName: `assets/${name}.js`,
  name,
  isEntry: name === 'index',
  imports: imports.map((file) => `assets/${file}.js`),
  code,
  moduleIds: [],
});

/** Runs the plugin. Returns the scripts by file name. */
function build(chunks: Chunk[]): Record<string, string> {
  const scripts: Record<string, string> = {};
  const bundle = Object.fromEntries(chunks.map((each) => [each.fileName, each]));
  const { handler } = classicScripts(['counter']).generateBundle as unknown as {
    handler: (this: object, options: object, bundle: object) => void;
  };
  const emitFile = ({ fileName, source }: { fileName: string; source: string }) => (scripts[fileName] = source);
  handler.call({ emitFile }, {}, bundle);
  return scripts;
}

describe('the build of classic scripts', () => {
  test('gives each script the exports of those before it, and its own to the modules', () => {
    const base = chunk('framework', 'const a=20;function b(){return a+1}export{a as t,b as "n"};');
    const entry = chunk('index', 'import{t as x,n as y}from"./framework.js";const z=x+y();export{z};', ['framework']);
    const counter = chunk('counter', 'import{z as o}from"./index.js";const p=o+1;export{p as r};', ['index']);
    const load = 'export const s=()=>[import(`./counter.js`),import(`./desk.js`),import(`./words.js`)];';
    const later = chunk('payment', `import{r}from"./counter.js";${load}`, ['counter']);
    const desk = chunk('desk', 'import{s}from"./payment.js";', ['payment']);
    const words = chunk('words', 'export{};');
    const scripts = build([later, counter, entry, base, desk, words]);
    expect(Object.keys(scripts)).toEqual([
      'assets/framework.classic.js',
      'assets/index.classic.js',
      'assets/counter.classic.js',
    ]);
    const page = vm.createContext({ document: { currentScript: { src: '' } } });
    for (const script of Object.values(scripts)) vm.runInContext(script, page);
    expect(vm.runInContext('JSON.stringify(classicExports["assets/counter.js"])', page)).toBe('{"r":42}');
    expect(base.code).toBe('const{t:v0,n:v1}=classicExports["assets/framework.js"];export{v0 as t,v1 as n};\n');
    expect(counter.code).toBe('const{r:v0}=classicExports["assets/counter.js"];export{v0 as r};\n');
    // A chunk whose imports include a script loads after it.
    const [counterLoad, deskLoad] = ['classicLoad("assets/counter.js")', 'import(`./desk.js`)'];
    expect(later.code).toBe(
      `import{r}from"./counter.js";export const s=()=>[${counterLoad},${counterLoad}.then(()=>${deskLoad}),import(\`./words.js\`)];`,
    );
  });

  test('loads a script that failed again, and none twice', async () => {
    const counter = chunk('counter', 'export{};', ['index']);
    const scripts = build([counter, chunk('index', 'const a=1;export{a};')]);
    const asked: { src: string; onload: () => void; onerror: () => void }[] = [];
    const page = vm.createContext({
      document: {
        currentScript: {},
        createElement: () => ({}),
        head: { append: (script: never) => asked.push(script) },
      },
    });
    vm.runInContext(scripts['assets/index.classic.js']!, page);
    const load = () => vm.runInContext('classicLoad("assets/counter.js")', page) as Promise<object>;
    const failed = load();
    asked[0]!.onerror();
    await expect(failed).rejects.toThrow('Failed to load assets/counter.js');
    const both = [load(), load()];
    vm.runInContext(scripts['assets/counter.classic.js']!, page);
    asked[1]!.onload();
    expect(await Promise.all(both)).toEqual([{}, {}]);
    await load();
    expect(asked.map(({ src }) => src)).toEqual(Array(2).fill('/assets/counter.classic.js'));
  });

  test('refuses what a script cannot do: a whole import, a default export, a module before it', () => {
    const entry = chunk('index', 'export{};');
    const refused = (code: string, imports: string[] = [], other = chunk('other', 'export{};')) =>
      expect(() => build([entry, other, chunk('counter', code, imports)]));
    refused('import*as all from"./index.js";', ['index']).toThrow('imports all of assets/index.js');
    refused('export const a=()=>import("./counter.js");').toThrow('imports the classic script assets/counter.js');
    refused('export default 1;').toThrow('ExportDefaultDeclaration');
    refused('import{a}from"./other.js";', ['other']).toThrow('needs the module assets/other.js');
  });

  test('refuses Chakra and Emotion on the first path', () => {
    const chakra = '/node_modules/@chakra-ui/react/dist/esm/styled-system/factory.js';
    const counter = {
      ...chunk('counter', 'export{};'),
      moduleIds: ['/src/features/counter/counter-screen.tsx', chakra],
    };
    expect(() => build([chunk('index', 'export{};'), counter])).toThrow(`assets/counter.js contains ${chakra}`);
  });
});

test.each([
  ['const a = await b();', true],
  ['export const a = { b: [await c] };', true],
  ['export {}; for await (const a of b) c(a);', true],
  ['if (a) { try { await b; } catch {} }', true],
  ['export const a = async () => { await b; };', false],
  ['const a = { async b() { await c; } }; class D { async e() { for await (const f of g) await f; } }', false],
  ['const a = "await b";', false],
])('a top-level await in %s: %s', (code, expected) => expect(hasTopLevelAwait(code)).toBe(expected));
