/**
 * `npm run mutants -- FOLDER…`: tells which small changes of the code no test beside it notices. Draws mutants of the files of the
 * folders, and runs the related tests against each in a copy of the last commit. Exits with 1 if one survives.
 *
 * --count  how many mutants are drawn; 20 if omitted
 * --seed   draws others; 1 if omitted
 */
import { mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { execFileSync, spawnSync } from 'node:child_process';
import { parseArgs } from 'node:util';
import { mutantsOf } from './mutants.ts';
import type { Mutant } from './mutants.ts';

interface Candidate extends Mutant {
  file: string;
}

const { values, positionals } = parseArgs({
  options: { count: { type: 'string', default: '20' }, seed: { type: 'string', default: '1' } },
  allowPositionals: true,
});
const folders = positionals.length > 0 ? positionals : ['domain', 'server', 'sw', 'src/db', 'src/sync'];
/** A mutant may make a test wait for ever, which is noticed too. */
const limitMs = 300_000;

const root = join(import.meta.dirname, '../..');
const git = (...args: string[]) => execFileSync('git', args, { cwd: root, encoding: 'utf8', maxBuffer: 1 << 26 });
const copy = await mkdtemp(join(tmpdir(), 'dental-counter-mutants-'));
try {
  git('worktree', 'add', '--quiet', '--detach', '--force', copy);
  await symlink(join(root, 'node_modules'), join(copy, 'node_modules'));
  const mutants = draw(await candidates(), Number(values.count), Number(values.seed));
  if (!passes([...new Set(mutants.map(({ file }) => file))])) throw new Error('The tests fail without a mutant.');
  let survivors = 0;
  for (const [index, mutant] of mutants.entries()) {
    const outcome = await tried(mutant);
    if (outcome === 'survives') survivors += 1;
    const change = `${mutant.file}:${mutant.line}  ${mutant.from} → ${mutant.to || '(nothing)'}`;
    console.log(`${String(index + 1).padStart(3)}  ${outcome.padEnd(9)} ${change}`);
  }
  console.log(`${mutants.length - survivors} of ${mutants.length} mutants were noticed (seed ${values.seed}).`);
  process.exitCode = survivors === 0 ? 0 : 1;
} finally {
  git('worktree', 'remove', '--force', copy);
  await rm(copy, { recursive: true, force: true });
}

/** Returns all mutants of the folders. */
async function candidates(): Promise<Candidate[]> {
  const files = git('ls-files', '--', ...folders)
    .split('\n')
    .filter((file) => /\.tsx?$/.test(file) && !/\.d\.ts$|\/migrations\//.test(file));
  if (files.length === 0) throw new Error(`No source file is in ${folders.join(', ')}.`);
  const found = await Promise.all(
    files.map(async (file) =>
      mutantsOf(file, await readFile(join(copy, file), 'utf8')).map((mutant) => ({ ...mutant, file })),
    ),
  );
  return found.flat();
}

/** Draws without repetition: a shuffle by Fisher and Yates with the generator of Lehmer (multiplier 48271). */
function draw(all: Candidate[], count: number, seed: number): Candidate[] {
  let state = seed;
  const next = () => (state = (state * 48_271) % 2_147_483_647) / 2_147_483_647;
  for (let warmUp = 0; warmUp < 10; warmUp += 1) next();
  for (let last = all.length - 1; last > 0; last -= 1) {
    const other = Math.floor(next() * (last + 1));
    [all[last], all[other]] = [all[other]!, all[last]!];
  }
  return all.slice(0, count);
}

/** Runs the tests that are related to the file with the mutant in it. */
async function tried({ file, start, end, to }: Candidate): Promise<'noticed' | 'survives'> {
  const path = join(copy, file);
  const source = await readFile(path, 'utf8');
  await writeFile(path, source.slice(0, start) + to + source.slice(end));
  const outcome = passes([file]) ? 'survives' : 'noticed';
  await writeFile(path, source);
  return outcome;
}

/** Runs the tests that are related to the files. Returns true if all pass in time. */
function passes(files: string[]): boolean {
  const vitest = [
    join('node_modules', 'vitest', 'vitest.mjs'),
    'related',
    ...files,
    '--run',
    '--bail=1',
    '--reporter=dot',
  ];
  return (
    spawnSync(process.execPath, vitest, { cwd: copy, stdio: 'ignore', timeout: limitMs * files.length }).status === 0
  );
}
