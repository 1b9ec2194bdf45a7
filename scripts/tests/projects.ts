import type { TestProjectInlineConfiguration } from 'vitest/config';

/** Files that need the process for themselves: they replace modules, load one before another, or measure the process. */
const alone = [
  'tests/src/{auth,i18n,session}/**/*.test.ts',
  'tests/src/api/read-page.test.ts',
  'tests/src/app/first-page.test.ts',
  'tests/src/decisions/words.test.ts',
  'tests/src/local-data/live-query.test.ts',
  'tests/domain/hostile-locales.test.ts',
  'tests/src/printing/print-target.test.ts',
  'tests/src/features/counter/plan-store.test.ts',
  'tests/server/stock/import-turns.test.ts',
  'tests/ledger/clinic/planted-faults.test.ts',
];

/** Files that `related` leaves out, because they alone take as long as it may. */
const slow = [
  'tests/server/http/fuzz.test.ts',
  'tests/server/stock/import-turns.test.ts',
  'tests/ledger/clinic.test.ts',
  'tests/ledger/clinic/planted-faults.test.ts',
];

/**
 * Files that `npm test` and `npm run check` leave to the long run, which runs every file: they are about what few changes touch (how
 * processes start and stop, loads far above a clinic's day, the tests themselves). `npx vitest run FILE` runs each.
 */
const long =
  process.env['TEST_SHORT'] === '1'
    ? [
        'tests/ledger/clinic/planted-faults.test.ts',
        'tests/server/db/{moving,pooler}.test.ts',
        'tests/server/embedded/{accounts,embedded-postgres,ownership,test-run}.test.ts',
        'tests/server/fiscal/processes.test.ts',
        'tests/server/http/{nginx,slow-clients}.test.ts',
        'tests/server/image.test.ts',
        'tests/server/shutdown.test.ts',
        'tests/server/stock/import-turns.test.ts',
        'tests/server/uploads/admission.test.ts',
        'tests/server/users/sign-in-flood.test.ts',
      ]
    : [];

const shared: TestProjectInlineConfiguration['test'] = {
  environment: 'node',
  setupFiles: ['tests/support/fixed-run/draws.ts'],
  // A second garbage collection thread would take the core of the other worker.
  execArgv: ['--single-threaded-gc'],
  // The limits end what hangs. They are far above what a test takes, so that a busy machine does not make one fail.
  testTimeout: 120_000,
  // A hook creates a database and the demo clinic.
  hookTimeout: 180_000,
  expect: { poll: { timeout: 20_000 } },
};

/**
 * The source files of `npx vitest related FILES`, which answers within seconds; null for any other command. The long run, which
 * finds its tests by the same command, leaves none of them out.
 */
const changed =
  process.argv[2] === 'related' && process.env['TEST_LONG'] !== '1'
    ? process.argv.slice(3).filter((argument) => !argument.startsWith('-'))
    : null;

/** Nouns of the domain whose module has another name. */
const testedAs: Record<string, string> = {
  protocol: 'operations',
  wire: 'operations',
  staff: 'users',
  settings: 'clinics',
};

/**
 * Returns the tests of the server in the folders of a file's name, or of the name of a file without a folder. Nearly all of them start
 * the whole server, so nearly all are related to any change.
 */
export function serverTestsOf(file: string): string[] {
  const folders = /(?:server\/modules|server|domain)\/(.+)\//.exec(file)?.[1]?.split('/') ?? [];
  if (folders.length > 0) return folders.map((noun) => `tests/server/${testedAs[noun] ?? noun}*/**/*.test.ts`);
  const name = /^server\/([^/]+)\.ts$/.exec(file)?.[1];
  return name ? [`tests/server/${name}{.test.ts,/**/*.test.ts}`] : [];
}

export const testProjects: TestProjectInlineConfiguration[] = [
  {
    test: {
      ...shared,
      name: 'parts',
      include: [
        'tests/{domain,ledger,src,sw,house}/**/*.test.{ts,tsx}',
        ...(changed?.flatMap(serverTestsOf) ?? ['tests/server/**/*.test.ts']),
      ],
      exclude: [...alone, ...long, ...(changed ? slow : [])],
      // The files share one process per worker: to load the server takes longer than most of them.
      isolate: false,
      unstubGlobals: true,
    },
  },
  { test: { ...shared, name: 'alone', include: alone, exclude: changed ? slow : long } },
  ...(changed ? [] : [{ test: { ...shared, name: 'simulation', include: ['tests/simulation/**/*.test.ts'] } }]),
];
