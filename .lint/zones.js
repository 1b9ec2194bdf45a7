/**
 * The arrows of the house as a lint rule: which folder may import from which. `docs/architecture.md` says why.
 * A folder's own files are always allowed; packages are judged by `packages` where a zone names it.
 */
import path from 'node:path';

const root = path.resolve(import.meta.dirname, '..');

/** What features share, each folder with the folders of `src` that it may import besides `src/db` and `src/ui`. */
const shared = {
  api: ['device', 'session'],
  clinic: [],
  device: [],
  figures: [],
  formats: ['device'],
  forms: ['api', 'device', 'layout', 'session'],
  i18n: [],
  install: [],
  layout: ['formats'],
  lists: [],
  navigation: [],
  preferences: ['i18n'],
  printing: ['device', 'i18n', 'session', 'sync'],
  refund: ['api', 'device', 'formats', 'printing', 'tender'],
  session: ['api'],
  sync: ['device', 'session'],
  tender: [],
};

/** Longest prefix wins. `may` lists the project paths that a zone may import besides itself. */
const zones = [
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
  { zone: 'src/sync/sync-host.ts', may: ['domain', 'src/db', 'src/device', 'src/session', 'src/sync', 'sw/sync'] },
  { zone: 'sw', may: ['domain', 'src/db'] },
  { zone: 'server', may: ['domain', 'locales'] },
];

const inside = (file, folder) => file === folder || file.startsWith(`${folder}/`);

function zoneOf(file) {
  return zones.filter(({ zone }) => inside(file, zone)).sort((a, b) => b.zone.length - a.zone.length)[0];
}

/** Why an import is not allowed, or null. Paths are relative to the project, specifiers as written. */
export function violation(file, specifier) {
  const from = zoneOf(file);
  if (!from) return null;
  if (!specifier.startsWith('.')) {
    const allowed = !from.packages || from.packages.includes(specifier);
    return allowed ? null : `${from.zone} may import no package but ${from.packages.join(', ')}`;
  }
  const target = path.posix.join(path.posix.dirname(file), specifier);
  if (target.endsWith('protocol/schemas.ts') && inside(file, 'src'))
    return 'the app leaves schemas (and zod) to the server';
  const feature = /^src\/features\/([^/]+)\//;
  const [own, other] = [feature.exec(file)?.[1], feature.exec(target)?.[1]];
  if (own && other && own !== other) return `feature ${own} may not import feature ${other}`;
  const serverModule = /^server\/modules\/([^/]+)\//;
  const [ownModule, otherModule] = [serverModule.exec(file)?.[1], serverModule.exec(target)?.[1]];
  if (ownModule && otherModule && ownModule !== otherModule && !target.endsWith('/service.ts')) {
    return `server modules meet only through service.ts`;
  }
  if (inside(target, from.zone) || from.may.some((folder) => inside(target, folder))) return null;
  return `${from.zone} may not import ${target}`;
}

const rule = {
  create(context) {
    const file = path.relative(root, context.filename).split(path.sep).join('/');
    const judge = (node) => {
      if (typeof node?.source?.value !== 'string') return;
      const message = violation(file, node.source.value);
      if (message) context.report({ node: node.source, message });
    };
    return {
      ImportDeclaration: judge,
      ExportNamedDeclaration: judge,
      ExportAllDeclaration: judge,
      ImportExpression: judge,
    };
  },
};

export default { meta: { name: 'house' }, rules: { zones: rule } };
