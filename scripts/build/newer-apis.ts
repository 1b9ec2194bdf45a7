/** What the web platform has gained since the floors: what brings it, how built code shows it, and where the app uses it. */
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { parseAst } from 'vite';
import type { Plugin } from 'vite';
import { floors } from './floors.ts';

/** The versions that bring an API to Safari, Chrome and Firefox; null where no release has it. */
type Versions = readonly [safari: number | null, chrome: number | null, firefox: number | null];

/** How code shows an API. Built code keeps the names of properties and globals, and loses those of variables. */
interface Signs {
  /** Globals. */
  globals?: readonly string[];
  /** Properties of globals, such as `Promise.try`. */
  statics?: readonly string[];
  /** Properties of anything. */
  members?: readonly string[];
  /** Methods with so many arguments, which are not lists: other libraries have methods of these names. */
  calls?: { names: readonly string[]; argumentCount: number };
  /** In style sheets, and in texts that become some. */
  css?: RegExp;
  /** Texts, such as the names of events. */
  texts?: readonly string[];
  syntax?: (node: Node) => boolean;
}

export interface NewerApi extends Signs {
  name: string;
  since: Versions;
}

interface Node {
  type: string;
  [key: string]: unknown;
}

const iterators = ['values', 'keys', 'entries', 'matchAll'];
const iteratorHelpers = [
  'map',
  'filter',
  'take',
  'drop',
  'flatMap',
  'reduce',
  'toArray',
  'forEach',
  'some',
  'every',
  'find',
];

/** Of `object.name`, the object and the name. */
function member(node: unknown): { object: Node; name: string } | null {
  const { type, computed, object, property } = (node ?? {}) as Node & { object: Node; property: Node };
  return type === 'MemberExpression' && !computed ? { object, name: property['name'] as string } : null;
}

const regex = (node: Node) => node['regex'] as { pattern: string; flags: string } | undefined;

const known: readonly NewerApi[] = [
  { name: '`AbortSignal.any`', since: [17.4, 116, 124], statics: ['AbortSignal.any'] },
  { name: '`Promise.withResolvers`', since: [17.4, 119, 121], statics: ['Promise.withResolvers'] },
  { name: '`Promise.try`', since: [18.2, 128, 134], statics: ['Promise.try'] },
  { name: '`Object.groupBy`', since: [17.4, 117, 119], statics: ['Object.groupBy', 'Map.groupBy'] },
  { name: '`Array.fromAsync`', since: [16.4, 121, 115], statics: ['Array.fromAsync'] },
  { name: '`RegExp.escape`', since: [18.2, 136, 134], statics: ['RegExp.escape'] },
  { name: '`URL.canParse`', since: [17, 120, 115], statics: ['URL.canParse'] },
  { name: '`URL.parse`', since: [18, 126, 126], statics: ['URL.parse'] },
  { name: '`Response.json`', since: [17, 105, 115], statics: ['Response.json'] },
  { name: '`ReadableStream.from`', since: [null, null, 117], statics: ['ReadableStream.from'] },
  { name: '`Error.isError`', since: [null, 134, 138], statics: ['Error.isError'] },
  { name: '`Math.sumPrecise`', since: [26.2, 147, 137], statics: ['Math.sumPrecise', 'Math.f16round'] },
  { name: '`Symbol.dispose`', since: [null, 134, 141], statics: ['Symbol.dispose', 'Symbol.asyncDispose'] },
  { name: '`Atomics.waitAsync`', since: [16.4, 87, 145], statics: ['Atomics.waitAsync'] },
  { name: '`CSS.highlights`', since: [17.2, 105, 140], statics: ['CSS.highlights'], globals: ['Highlight'] },
  { name: '`CSS.registerProperty`', since: [16.4, 78, 128], statics: ['CSS.registerProperty'], css: /@property\s/ },
  { name: '`Intl.DurationFormat`', since: [16.4, 129, 136], statics: ['Intl.DurationFormat'] },
  { name: '`Intl.Segmenter`', since: [14.1, 87, 125], statics: ['Intl.Segmenter'] },
  { name: '`Temporal`', since: [null, 144, 139], globals: ['Temporal'] },
  { name: '`Float16Array`', since: [18.2, 135, 129], globals: ['Float16Array'] },
  { name: '`URLPattern`', since: [26, 95, 142], globals: ['URLPattern'] },
  { name: '`cookieStore`', since: [18.4, 87, 140], globals: ['cookieStore'], members: ['cookieStore'] },
  { name: '`CloseWatcher`', since: [null, 126, 149], globals: ['CloseWatcher'] },
  { name: '`scheduler`', since: [null, 94, 142], statics: ['scheduler.yield', 'scheduler.postTask'] },
  { name: '`navigation`', since: [26.2, 102, 147], globals: ['navigation'] },
  {
    name: '`requestIdleCallback`',
    since: [null, 47, 55],
    globals: ['requestIdleCallback'],
    members: ['requestIdleCallback'],
  },
  {
    name: 'iterator helpers',
    since: [18.4, 122, 131],
    globals: ['Iterator'],
    syntax: (node) => {
      const helper = node.type === 'CallExpression' ? member(node['callee']) : null;
      const source = helper?.object.type === 'CallExpression' ? member(helper.object['callee']) : null;
      if (!helper || !source || !iteratorHelpers.includes(helper.name) || !iterators.includes(source.name))
        return false;
      // `Object.values(…)` gives an array.
      return source.object['name'] !== 'Object';
    },
  },
  {
    name: 'set methods',
    since: [17, 122, 127],
    members: ['symmetricDifference', 'isSubsetOf', 'isSupersetOf', 'isDisjointFrom'],
    calls: { names: ['difference'], argumentCount: 1 },
  },
  { name: '`isWellFormed`', since: [16.4, 111, 119], members: ['isWellFormed', 'toWellFormed'] },
  {
    name: '`ArrayBuffer.transfer`',
    since: [17.4, 114, 122],
    members: ['transferToFixedLength'],
    calls: { names: ['transfer'], argumentCount: 0 },
  },
  {
    name: '`toBase64`',
    since: [18.2, 140, 133],
    members: ['toBase64', 'setFromBase64', 'setFromHex'],
    statics: ['Uint8Array.fromBase64', 'Uint8Array.fromHex'],
  },
  { name: '`getOrInsert`', since: [26.2, 145, 144], members: ['getOrInsert', 'getOrInsertComputed'] },
  { name: '`getWeekInfo`', since: [17, 130, null], members: ['getWeekInfo'] },
  {
    name: 'popover',
    since: [17, 114, 125],
    members: ['showPopover', 'hidePopover', 'togglePopover'],
    css: /:popover-open/,
  },
  { name: '`checkVisibility`', since: [17.4, 105, 106], members: ['checkVisibility'] },
  { name: '`moveBefore`', since: [null, 133, 144], members: ['moveBefore'] },
  { name: '`requestClose`', since: [26, 134, 139], members: ['requestClose'] },
  { name: '`setHTMLUnsafe`', since: [17.4, 124, 123], members: ['setHTMLUnsafe', 'parseHTMLUnsafe', 'getHTML'] },
  { name: 'view transitions', since: [18, 111, 144], members: ['startViewTransition'], css: /view-transition/ },
  {
    name: '`indexedDB.databases`',
    since: [14.1, 71, 126],
    statics: ['indexedDB.databases'],
    calls: { names: ['databases'], argumentCount: 0 },
  },
  { name: '`navigator.userActivation`', since: [16.4, 72, 120], members: ['userActivation'] },
  { name: '`navigator.storage.estimate`', since: [17, 61, 57], members: ['estimate'] },
  { name: '`navigator.setAppBadge`', since: [16.4, 81, null], members: ['setAppBadge', 'clearAppBadge'] },
  { name: '`navigator.wakeLock`', since: [16.4, 84, 126], members: ['wakeLock'] },
  { name: '`navigator.userAgentData`', since: [null, 90, null], members: ['userAgentData'], texts: ['userAgentData'] },
  { name: '`navigator.connection`', since: [null, 61, null], statics: ['navigator.connection'] },
  { name: 'static routes of the worker (`addRoutes`)', since: [null, 123, null], members: ['addRoutes'] },
  { name: '`beforeinstallprompt`', since: [null, 76, null], texts: ['beforeinstallprompt'] },
  { name: '`scrollend`', since: [26.2, 114, 109], texts: ['scrollend'] },
  { name: 'the v flag', since: [17, 112, 116], syntax: (node) => regex(node)?.flags.includes('v') ?? false },
  {
    name: 'modifiers in patterns',
    since: [26, 125, 132],
    syntax: (node) => /\(\?-?[ims]+[:-]/.test(regex(node)?.pattern ?? ''),
  },
  {
    name: 'import attributes',
    since: [17.2, 123, 138],
    syntax: ({ type, attributes }) =>
      type === 'ImportDeclaration' && Array.isArray(attributes) && attributes.length > 0,
  },
  {
    name: '`using`',
    since: [null, 134, 141],
    syntax: ({ type, kind }) => type === 'VariableDeclaration' && String(kind).endsWith('using'),
  },
  { name: '`:has()`', since: [15.4, 105, 121], css: /:has\(/ },
  { name: '`text-wrap`', since: [17.5, 114, 121], css: /text-wrap:|textWrap/ },
  { name: 'nested selectors', since: [16.5, 112, 117], css: /[{;}]\s*&[\s:.[>+~]/ },
  { name: '`@scope`', since: [17.4, 118, 146], css: /@scope/ },
  { name: '`@starting-style`', since: [17.5, 117, 129], css: /@starting-style/ },
  { name: 'anchor positions', since: [26, 125, 147], css: /anchor-name|position-anchor|anchor\(/ },
  { name: '`field-sizing`', since: [26.2, 123, null], css: /field-sizing:/ },
  { name: '`light-dark()`', since: [17.5, 123, 120], css: /light-dark\(/ },
  { name: 'relative colours', since: [16.4, 119, 128], css: /(?:rgb|hsl|lab|lch|oklch|color)\(from / },
  { name: '`interpolate-size`', since: [null, 129, null], css: /interpolate-size:|allow-discrete/ },
  { name: '`scrollbar-gutter`', since: [18.2, 94, 97], css: /scrollbar-gutter:/ },
];

const oldest = ['Safari', 'Chrome', 'Firefox'].map((engine) =>
  Number(floors.find(({ name }) => name === engine)!.version),
);

/** What at least one engine lacks at its floor. */
export const newerApis: readonly NewerApi[] = known.filter(({ since }) =>
  since.some((version, engine) => version === null || version > (oldest[engine] ?? 0)),
);

/** What the built app uses all the same, because each use has a guard. `docs/browsers.md` says where, and what happens without it. */
export const guarded: readonly string[] = [
  '`AbortSignal.any`',
  '`:has()`',
  '`beforeinstallprompt`',
  '`indexedDB.databases`',
  '`navigation`',
  '`navigator.connection`',
  '`navigator.setAppBadge`',
  '`navigator.storage.estimate`',
  '`navigator.userAgentData`',
  '`navigator.wakeLock`',
  '`requestIdleCallback`',
  '`scrollend`',
  '`text-wrap`',
  'popover',
  'static routes of the worker (`addRoutes`)',
  'view transitions',
];

function nodesOf(value: unknown, visit: (node: Node) => void): void {
  if (value === null || typeof value !== 'object') return;
  if (Array.isArray(value)) return value.forEach((each) => nodesOf(each, visit));
  const node = value as Node;
  if (typeof node.type === 'string') visit(node);
  // The name of a property or a key is no use of a global.
  const isNamed = node.type === 'MemberExpression' || node.type === 'Property' || node.type === 'PropertyDefinition';
  for (const [key, inner] of Object.entries(node)) {
    const isName = isNamed && !node['computed'] && (key === 'property' || key === 'key');
    if (!isName && key !== 'regex') nodesOf(inner, visit);
  }
}

function shows(node: Node, api: NewerApi): boolean {
  const found = member(node);
  if (found && api.members?.includes(found.name)) return true;
  if (found && api.statics?.includes(`${String(found.object['name'])}.${found.name}`)) return true;
  if (node.type === 'Identifier' && api.globals?.includes(node['name'] as string)) return true;
  if (node.type === 'CallExpression' && api.calls) {
    const called = member(node['callee']);
    const given = node['arguments'] as Node[];
    const { names, argumentCount } = api.calls;
    if (called && names.includes(called.name) && given.length === argumentCount)
      return given.every(({ type }) => type !== 'ArrayExpression');
  }
  const text =
    node.type === 'TemplateElement' ? (node['value'] as { raw: string }).raw : (node['value'] as string | undefined);
  if (typeof text === 'string' && (api.texts?.includes(text) || api.css?.test(text))) return true;
  return api.syntax?.(node) ?? false;
}

/** Returns the names of the newer APIs that a script uses, whether guarded or not. */
export function newerApisIn(code: string): string[] {
  const found = new Set<string>();
  nodesOf(parseAst(code).body, (node) => {
    for (const api of newerApis) if (!found.has(api.name) && shows(node, api)) found.add(api.name);
  });
  return [...found].sort();
}

export const newerApisInStyles = (css: string): string[] =>
  newerApis
    .filter((api) => api.css?.test(css.replace(/\/\*[\s\S]*?\*\//g, '')))
    .map(({ name }) => name)
    .sort();

/** Returns a complaint for each newer API of a built file that has no guard. */
export function unguardedIn(file: string, content: string): string[] {
  const found = file.endsWith('.js') ? newerApisIn(content) : file.endsWith('.css') ? newerApisInStyles(content) : [];
  return found.filter((api) => !guarded.includes(api)).map((api) => `${file}: ${api}`);
}

/** Refuses a build, dependencies and worker included, that uses what an engine at the floors lacks. */
export function refuseNewerApis(): Plugin {
  let folder = '';
  return {
    name: 'refuse-newer-apis',
    apply: 'build',
    configResolved({ build, root }) {
      folder = path.resolve(root, build.outDir);
    },
    // The worker is built when the app is complete.
    closeBundle: {
      order: 'post',
      sequential: true,
      async handler() {
        const files = (await readdir(folder, { recursive: true })).filter((file) => /\.(js|css)$/.test(file));
        const complaints = await Promise.all(
          files.map(async (file) => unguardedIn(file, await readFile(path.join(folder, file), 'utf8'))),
        );
        if (complaints.flat().length === 0) return;
        throw new Error(
          `The build uses what is newer than the floors of docs/browsers.md, without a guard:\n${complaints.flat().join('\n')}`,
        );
      },
    },
  };
}
