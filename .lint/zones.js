/**
 * Lint rule that states which folder may import from which; `docs/architecture.md` shows the same arrows. A folder may always import
 * its own files. A zone may import every package unless it lists `packages`.
 */
import path from 'node:path';
import { fromTheTop, importedFile } from '../scripts/lib/imports.mjs';
import { linearPatterns } from './patterns.js';
import { transactions } from './transactions.js';

const root = path.resolve(import.meta.dirname, '..');

/** The folders that features share, each with the other shared folders that it may import. All may import `src/db` and `src/ui`. */
export const shared = {
  api: ['session'],
  approval: ['auth', 'local-data', 'session'],
  auth: ['api', 'scanner', 'session'],
  'back-office': ['formats', 'local-data', 'server-data'],
  cancel: ['i18n', 'printing'],
  decisions: ['api', 'formats', 'local-data', 'server-data'],
  drawer: ['formats', 'forms', 'local-data', 'sync', 'tender'],
  formats: ['local-data'],
  forms: ['api', 'back-office', 'formats', 'local-data', 'server-data', 'session'],
  i18n: [],
  install: ['navigation', 'session', 'sync'],
  invoice: ['formats', 'forms', 'i18n', 'local-data', 'printing'],
  lists: ['api', 'back-office', 'decisions', 'formats', 'forms', 'server-data', 'session'],
  'local-data': [],
  navigation: ['server-data'],
  preferences: ['i18n'],
  printing: ['i18n', 'local-data', 'session', 'sync'],
  refund: ['api', 'approval', 'formats', 'forms', 'local-data', 'printing', 'session', 'tender'],
  scanner: [],
  'server-data': ['api', 'local-data', 'session', 'sync'],
  session: [],
  setup: ['local-data', 'navigation', 'server-data'],
  sync: ['local-data', 'session'],
  tender: [],
};

/** The folders of the server that name no noun, each with the folders that it may not import. */
const serverPlatform = {
  db: ['http', 'events', 'operations', 'modules', 'seed'],
  http: ['events', 'operations', 'modules', 'seed'],
  events: ['operations', 'modules', 'seed'],
  operations: ['modules', 'seed'],
};

/**
 * Folders that stand on one another, each list from the bottom up: a folder imports only those before it. The files beside
 * the folders of `domain` are common to all.
 */
export const standing = {
  domain: (
    'wire audit expense room staff tax settings patient stock fiscal order ' +
    'preparation drawer protocol report notification'
  ).split(' '),
  'server/modules': (
    'audit attention drawers preparation rooms uploads users devices clinics health alerts expenses reports fiscal ' +
    'ledger dashboard exports notifications purchasing stock orders patients feed'
  ).split(' '),
};

/** Returns the reason why a folder may not import one that stands on it, or null. */
function misplaced(file, target) {
  for (const [place, folders] of Object.entries(standing)) {
    const [own, other] = [file, target].map((each) => new RegExp(`^${place}/([^/]+)/`).exec(each)?.[1]);
    if (own && other && own !== other && folders.indexOf(own) <= folders.indexOf(other))
      return `${place}/${own} may not import ${place}/${other}, which stands on it`;
  }
  return null;
}

/** The zone with the longest matching path applies. `may` lists the paths that a zone may import besides its own, and `not` the exceptions. */
export const zones = [
  { zone: 'domain', may: [], packages: ['zod'] },
  { zone: 'src/db', may: ['domain'] },
  { zone: 'src/ui', may: [] },
  ...Object.entries(shared).map(([folder, others]) => ({
    zone: `src/${folder}`,
    may: ['domain', 'locales', 'src/db', 'src/ui', ...others.map((other) => `src/${other}`)],
  })),
  {
    zone: 'src/features',
    may: ['domain', 'locales', 'src/db', 'src/ui', ...Object.keys(shared).map((folder) => `src/${folder}`)],
  },
  { zone: 'src', may: ['domain', 'locales'] },
  { zone: 'src/sync/sync-host.ts', may: ['domain', 'src/db', 'src/local-data', 'src/session', 'src/sync', 'sw/sync'] },
  { zone: 'sw', may: ['domain', 'src/db'] },
  { zone: 'server', may: ['domain', 'locales'] },
  ...Object.entries(serverPlatform).map(([folder, not]) => ({
    zone: `server/${folder}`,
    may: ['domain', 'locales', 'server'],
    not: not.map((other) => `server/${other}`),
  })),
];

const inside = (file, folder) => file === folder || file.startsWith(`${folder}/`);

export function zoneOf(file) {
  return zones.filter(({ zone }) => inside(file, zone)).sort((a, b) => b.zone.length - a.zone.length)[0];
}

/**
 * Returns the reason why `file` may not import `specifier`, or null.
 *
 * @param file relative to the project
 * @param specifier as written
 * @param isType true of `import type`, which is no part of the bundle
 */
export function violation(file, specifier, isType = false) {
  const short = fromTheTop(file, specifier);
  return forbidden(file, specifier, isType) ?? (short && `write ${short}`);
}

function forbidden(file, specifier, isType) {
  const from = zoneOf(file);
  if (!from) return null;
  const target = importedFile(file, specifier);
  if (target === null) {
    const allowed = !from.packages || from.packages.includes(specifier);
    return allowed ? null : `${from.zone} may import no package but ${from.packages.join(', ')}`;
  }
  if (!isType && /^domain\/.*schemas\.ts$/.test(target) && !file.endsWith('schemas.ts') && !inside(file, 'server'))
    return 'the app leaves schemas (and zod) to the server';
  const feature = /^src\/features\/([^/]+)\//;
  const [own, other] = [feature.exec(file)?.[1], feature.exec(target)?.[1]];
  if (own && other && own !== other) return `feature ${own} may not import feature ${other}`;
  const serverModule = /^server\/modules\/([^/]+)\//;
  const [ownModule, otherModule] = [serverModule.exec(file)?.[1], serverModule.exec(target)?.[1]];
  if (ownModule && otherModule && ownModule !== otherModule && !target.endsWith('/service.ts')) {
    return `server modules meet only through service.ts`;
  }
  const reason = misplaced(file, target);
  if (reason) return reason;
  const isAllowed = inside(target, from.zone) || from.may.some((folder) => inside(target, folder));
  if (isAllowed && !from.not?.some((folder) => inside(target, folder))) return null;
  return `${from.zone} may not import ${target}`;
}

const rule = {
  create(context) {
    const file = path.relative(root, context.filename).split(path.sep).join('/');
    const check = (node) => {
      if (typeof node?.source?.value !== 'string') return;
      const isType = [node.importKind, node.exportKind].includes('type');
      const message = violation(file, node.source.value, isType);
      if (message) context.report({ node: node.source, message });
    };
    return {
      ImportDeclaration: check,
      ExportNamedDeclaration: check,
      ExportAllDeclaration: check,
      ImportExpression: check,
      TSImportType: check,
    };
  },
};

export default { meta: { name: 'house' }, rules: { zones: rule, transactions, 'linear-patterns': linearPatterns } };
