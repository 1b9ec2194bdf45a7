/**
 * Tries mutants, one after the other, in one process: only the changed file is parsed again for each. `main.ts` forks it in a copy
 * of the project with `related` and the files of all mutants as arguments, which `scripts/tests/projects.ts` reads.
 */
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { createFilter } from 'vite';
import { createVitest } from 'vitest/node';
import type { TestCase, TestModule, TestSpecification } from 'vitest/node';
import { groupBy } from '#domain/group-by.ts';
import { importGraph } from '../../scripts/lib/import-graph.mjs';
import { serverTestsOf } from '../../scripts/tests/projects.ts';
import type { Mutant } from './mutants.ts';

export interface Candidate extends Mutant {
  file: string;
}

/** What the tests say of a mutant: no failure, the failure of a file that passes without the mutant, or another one. */
export interface Verdict {
  outcome: 'survives' | 'noticed' | 'unclear';
  by: string;
}

/** `ready` comes once; `passing` says that a test has passed meanwhile. */
export type Message = 'ready' | 'passing' | Verdict;

// As the command of Vitest sets it; the configuration fixes the clock of a run by it.
process.env['VITEST'] = 'true';
process.env['NODE_ENV'] ??= 'test';
const root = process.cwd();
const tell = (message: Message) => process.send?.(message);

/** The first failure of the present run. */
let failure: string | null = null;
const vitest = await createVitest('test', {
  root,
  watch: false,
  reporters: [
    {
      onTestCaseResult: (test: TestCase) => {
        if (test.result().state === 'failed') failed(test.module);
        else tell('passing');
      },
      onTestModuleEnd: (module: TestModule) => {
        if (module.state() === 'failed') failed(module);
      },
    },
  ],
});
const tests = await vitest.globTestSpecifications();
const importers = inverse(await importGraph(root, ['domain', 'server', 'src', 'sw', 'tests'], { withTypes: false }));
// Starts the database of the tests before anything is changed.
await vitest.runTestSpecifications([]);
/** What these do not notice, a test beside the file should. */
const mostTests = 40;
/** The test files that passed without a mutant. */
const sound = new Set<string>();

process.on('message', (candidate: Candidate) => void tried(candidate).then(tell));
process.on('disconnect', () => void vitest.close().then(() => process.exit()));
tell('ready');

function failed({ moduleId }: TestModule): void {
  failure ??= moduleId;
  // The rest would tell nothing more.
  void vitest.cancelCurrentRun('test-failure');
}

/** Runs the tests that are related to the file with the mutant in it, and a test that fails once more without the mutant. */
async function tried({ file, start, end, to }: Candidate): Promise<Verdict> {
  const source = await readFile(file, 'utf8');
  await write(file, source.slice(0, start) + to + source.slice(end));
  const by = await firstFailure(testsOf(file));
  await write(file, source);
  if (by === null) return { outcome: 'survives', by: '' };
  if (!sound.has(by) && (await firstFailure(tests.filter(({ moduleId }) => moduleId === by))) === null) sound.add(by);
  return { outcome: sound.has(by) ? 'noticed' : 'unclear', by: path.relative(root, by) };
}

async function write(file: string, text: string): Promise<void> {
  await writeFile(file, text);
  vitest.invalidateFile(path.resolve(file));
}

/** Returns the file of the first test that fails; null if all pass. */
async function firstFailure(specifications: TestSpecification[]): Promise<string | null> {
  failure = null;
  if (specifications.length > 0) await vitest.runTestSpecifications(specifications);
  return failure;
}

/** Returns the nearest tests that import the file, those that are fewest imports away first. */
function testsOf(file: string): TestSpecification[] {
  const isOfServer = createFilter('tests/server/**', null, { resolve: root });
  const isNear = createFilter(serverTestsOf(file), null, { resolve: root });
  const distances = distancesTo(file);
  const distanceOf = ({ moduleId }: TestSpecification) => distances.get(path.relative(root, moduleId)) ?? Infinity;
  return tests
    .filter((test) => distanceOf(test) < Infinity && (!isOfServer(test.moduleId) || isNear(test.moduleId)))
    .toSorted((one, other) => distanceOf(one) - distanceOf(other))
    .slice(0, mostTests);
}

/** Returns how many imports each file is away from this one. */
function distancesTo(file: string): Map<string, number> {
  const distances = new Map([[file, 0]]);
  for (const [importer, distance] of distances)
    for (const next of importers.get(importer) ?? []) if (!distances.has(next)) distances.set(next, distance + 1);
  return distances;
}

/** Returns the files that import each file. */
function inverse(imports: Map<string, string[]>): Map<string, string[]> {
  const edges = [...imports].flatMap(([importer, targets]) => targets.map((target) => ({ importer, target })));
  const found = groupBy(edges, ({ target }) => target);
  return new Map([...found].map(([target, group]) => [target, group.map(({ importer }) => importer)]));
}
