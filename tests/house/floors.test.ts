/** Holds `docs/browsers.md` against the sources: nothing younger than the floors is used without standing there. */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { buildTarget, floors } from '../../scripts/build/floors.ts';
import { guarded, newerApis, newerApisIn, newerApisInStyles, unguardedIn } from '../../scripts/build/newer-apis.ts';
import { projectRoot } from '#server/project-root.ts';

const read = (file: string) => readFileSync(path.join(projectRoot, file), 'utf8');
const sources = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', 'domain', 'src', 'sw'], {
  cwd: projectRoot,
  encoding: 'utf8',
})
  .split('\n')
  .filter((file) => /\.(tsx?|css)$/.test(file));

/**
 * What is younger than a floor in at least one engine: the name in the table, and how it looks in a source. Names without a
 * row in the table stand here so that nobody uses them unseen.
 */
const younger: [api: string, sign: RegExp][] = [
  ['`AbortSignal.any`', /AbortSignal\.any\(/],
  ['popover', /(?:show|hide|toggle)Popover\(|\bpopover=|:popover-open/],
  ['`navigator.storage.estimate`', /storage\??\.estimate/],
  ['`:has()`', /:has\(/],
  ['`text-wrap`', /text-wrap:|textWrap=/],
  ['`navigator.setAppBadge`', /setAppBadge/],
  ['`navigator.wakeLock`', /wakeLock/],
  ['`requestIdleCallback`', /requestIdleCallback/],
  ['`navigator.userAgentData`', /userAgentData/],
  ['Background Sync', /SyncManager/],
  ['static routes of the worker (`addRoutes`)', /addRoutes/],
  ['`beforeinstallprompt`', /beforeinstallprompt/],
  ['`Promise.withResolvers`', /withResolvers/],
  ['`Promise.try`', /Promise\.try/],
  ['`Object.groupBy`', /(?:Object|Map)\.groupBy/],
  ['`Array.fromAsync`', /fromAsync/],
  [
    'set methods',
    /(?<!\bz)\.(?:union|intersection|difference|symmetricDifference|isSubsetOf|isSupersetOf|isDisjointFrom)\(/,
  ],
  [
    'iterator helpers',
    /\.(?:values|keys|entries)\(\)\s*\.(?:map|filter|some|every|find|reduce|take|drop|toArray|forEach)\(/,
  ],
  ['`RegExp.escape`', /RegExp\.escape/],
  ['`URL.canParse`', /URL\.(?:canParse|parse)\(/],
  ['`toBase64`', /\.(?:toBase64|fromBase64|toHex|fromHex)\(/],
  ['`isWellFormed`', /\.(?:isWellFormed|toWellFormed)\(/],
  ['`ArrayBuffer.transfer`', /\.transfer(?:ToFixedLength)?\(\)/],
  ['`Symbol.dispose`', /Symbol\.(?:asyncD|d)ispose|^\s*using /m],
  ['`Temporal`', /\bTemporal\./],
  ['`Intl.DurationFormat`', /DurationFormat|Intl\.Segmenter/],
  ['`navigator.userActivation`', /userActivation/],
  ['`indexedDB.databases`', /indexedDB\.databases/],
  ['reflected ARIA', /\.aria[A-Z]\w+ = /],
  ['`checkVisibility`', /checkVisibility/],
  ['view transitions', /startViewTransition|view-transition/],
  ['`scheduler`', /\bscheduler\.(?:yield|postTask)/],
  ['`moveBefore`', /\.moveBefore\(/],
  ['`requestClose`', /\.requestClose\(|closedby=/],
  ['`CloseWatcher`', /CloseWatcher/],
  ['the v flag', /\/[dgimsuy]*v[dgimsuy]*\.(?:test|exec)\(/],
  ['top-level `await` in chunks', /^await /m],
  ['nested selectors', /^\s*&[\s:.[>+~]/m],
  ['`@scope`', /@scope/],
  ['`@starting-style`', /@starting-style/],
  ['`@property`', /@property/],
  ['anchor positions', /anchor-name|position-anchor|anchor\(/],
  ['`field-sizing`', /field-sizing|fieldSizing/],
  ['`light-dark()`', /light-dark\(/],
  ['relative colours', /(?:rgb|hsl|lab|lch|oklch|color)\(from /],
  ['`interpolate-size`', /interpolate-size|allow-discrete/],
  ['`scrollbar-gutter`', /scrollbar-gutter|scrollbarGutter/],
];

const page = read('docs/browsers.md');
/** Dependencies that use a younger API. */
const packages = /\b(?:Dexie|React|TanStack)\b/;
/** The files of each row of the table, by the name of the API. */
const listed = new Map(
  [...page.matchAll(/^\| ([^|]+) \| [^|]+ \| ([^|]+) \| [^|]+ \|$/gm)]
    .filter(([, , files]) => files!.includes('`') || packages.test(files!))
    .map(([, api, files]) => [api!, [...files!.matchAll(/`([^`]+)`/g)].map(([, file]) => file!)]),
);

describe('the floors of the engines', () => {
  test('every use of a younger API stands in the table, and the table names no other file', () => {
    const texts = new Map(sources.map((file) => [file, file.endsWith('.css') ? read(file) : uncommented(read(file))]));
    const used = younger.flatMap(([api, sign]) => {
      const files = sources.filter((file) => sign.test(texts.get(file)!));
      return files.length > 0 ? [[api, files.sort()] as const] : [];
    });
    expect(Object.fromEntries(used)).toEqual(
      Object.fromEntries(
        [...listed].filter(([, files]) => files.length > 0).map(([api, files]) => [api, [...files].sort()]),
      ),
    );
  });

  test('are the same in the manifest, the page, the README and the words of the check', () => {
    const versions = Object.fromEntries(floors.map(({ name, version }) => [name, version]));
    const { Safari, iOS, Chrome, Edge, Firefox } = versions;
    expect([iOS, Edge]).toEqual([Safari, Chrome]);
    expect(buildTarget).toContain(`safari${Safari}`);
    for (const row of [`iPadOS and iOS | ${Safari} |`, `| Chrome, Edge | ${Chrome} |`, `| Firefox | ${Firefox} |`])
      expect(page).toContain(row);
    const texts = [
      read('README.md'),
      ...['en', 'sp'].map((code) => read(`locales/${code}.json`).match(/"oldEngine": \{[^}]*\}/)![0]),
    ];
    for (const text of texts) for (const version of [Safari, Chrome, Firefox]) expect(text).toContain(version);
  });

  test('the page names what the check asks for', () => {
    const needs = [...read('src/app/check-engine.js').matchAll(/^ {4}(\w+): /gm)].map(([, name]) => name!);
    const named: Record<string, string> = {
      promises: '`Promise.allSettled`',
      hasOwn: '`Object.hasOwn`',
      AbortSignal: '`AbortSignal.timeout`',
      dialog: '`<dialog>`',
      containerQueries: 'container queries',
      dynamicHeight: '`dvh`',
      colorMix: '`color-mix()`',
    };
    expect(needs.length).toBeGreaterThan(12);
    for (const need of needs) expect(page).toContain(named[need] ?? `\`${need}\``);
  });
});

describe('what a build uses', () => {
  test('is refused where an engine at the floors lacks it, in scripts, workers, patterns and styles', () => {
    const planted: [code: string, api: string][] = [
      ['export const all=e=>Promise.try(e);', '`Promise.try`'],
      ['const{promise:t}=Promise.withResolvers();', '`Promise.withResolvers`'],
      ['export const g=(e,t)=>Object.groupBy(e,t);', '`Object.groupBy`'],
      ['for(let t of e.values().filter(Boolean))n(t);', 'iterator helpers'],
      ['if(e.isSubsetOf(t))n();', 'set methods'],
      ['const n=new Uint8Array(8).toBase64();', '`toBase64`'],
      ['new Intl.DurationFormat(`en`);', '`Intl.DurationFormat`'],
      ['const t=/[\\p{L}--[a-z]]/v;', 'the v flag'],
      ['const t=/(?i:a)b/;', 'modifiers in patterns'],
      ['import t from"./words.json"with{type:"json"};', 'import attributes'],
      ['function f(){using t=open();}', '`using`'],
      ['t.moveBefore(n,null);', '`moveBefore`'],
      ['await scheduler.yield();', '`scheduler`'],
      ['const t={css:`.a{color:light-dark(#fff,#000)}`};', '`light-dark()`'],
    ];
    for (const [code, api] of planted) expect(unguardedIn('sw.js', code), code).toEqual([`sw.js: ${api}`]);
    expect(unguardedIn('style.css', '.a{field-sizing:content}@starting-style{.a{opacity:0}}')).toEqual([
      'style.css: `@starting-style`',
      'style.css: `field-sizing`',
    ]);
  });

  test('is not mistaken for what only looks like it', () => {
    const harmless = [
      'Object.values(e).map(t);',
      'const n=t.union([a,b]);t.difference([a]);',
      'const t={toBase64:1,Temporal:2};e.Temporal;',
      'let scheduler=e;scheduler.run();',
      'const t="a word: using the Temporal zone";',
      'await e();',
    ];
    for (const code of harmless) expect(newerApisIn(code), code).toEqual([]);
    expect(newerApisInStyles('/* @scope */ .a:is(.b){color:red}')).toEqual([]);
  });

  test('may be newer only with a guard, which the page names with the same versions', () => {
    const versions = new Map(
      [...page.matchAll(/^\| ([^|]+) \| ([^|]+) \| [^|]+ \| [^|]+ \|$/gm)].map(([, api, since]) => [api, since]),
    );
    for (const name of guarded) {
      const api = newerApis.find((each) => each.name === name);
      const since = api?.since.map((version) =>
        version === null ? '–' : version.toFixed(1).replace(/^(\d+)\.0$/, '$1'),
      );
      expect(since, name).toBeDefined();
      expect(versions.get(name)?.replaceAll('.0', ''), name).toBe(since!.join(', '));
    }
    const known = new Set(newerApis.map(({ name }) => name));
    expect([...listed.keys()].filter((api) => known.has(api)).sort()).toEqual([...guarded].sort());
  });
});

/** Removes comments, in which an API may be named. */
function uncommented(text: string): string {
  return text.replace(/\/\*[\s\S]*?\*\//g, '').replace(/^\s*\/\/.*$/gm, '');
}
