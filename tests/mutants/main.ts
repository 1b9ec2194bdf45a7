/**
 * `npm run mutants -- FOLDER…`: tells which small changes of the code no test beside it notices. Draws mutants of the files of the
 * folders, and runs the related tests against each in a copy of the last commit. Exits with 1 if one survives.
 *
 * --count  how many mutants are drawn; 20 if omitted
 * --seed   draws others; 1 if omitted
 * --from   leaves out those before this one, to continue a run that was stopped
 */
import { chmod, mkdtemp, readFile, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { execFileSync, fork } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { parseArgs } from 'node:util';
import { clearAbandoned } from '#tests/support/global-setup.ts';
import { mutantsOf } from './mutants.ts';
import type { Candidate, Message, Verdict } from './tester.ts';

const { values, positionals } = parseArgs({
  options: {
    count: { type: 'string', default: '20' },
    seed: { type: 'string', default: '1' },
    from: { type: 'string', default: '1' },
  },
  allowPositionals: true,
});
const folders = positionals.length > 0 ? positionals : ['domain', 'server', 'sw', 'src/db', 'src/sync'];
/** A mutant may make a test wait for ever, which is noticed too. A test ends by itself after two minutes. */
const silenceMs = 150_000;

const root = path.join(import.meta.dirname, '../..');
const git = (...args: string[]) => execFileSync('git', args, { cwd: root, encoding: 'utf8', maxBuffer: 1 << 26 });
const copy = await mkdtemp(path.join(tmpdir(), 'dental-counter-mutants-'));
let tester: ChildProcess | undefined;
/** Ends with the process, after a signal. */
let stopping: Promise<void> | undefined;
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.on(signal, () => {
    stopping ??= tidyUp().finally(() => process.exit(1));
  });
}
try {
  // Some tests start programs as another user.
  await chmod(copy, 0o755);
  git('worktree', 'add', '--quiet', '--detach', '--force', copy);
  await symlink(path.join(root, 'node_modules'), path.join(copy, 'node_modules'));
  const first = Number(values.from);
  const mutants = draw(await candidates(), Number(values.count), Number(values.seed)).slice(first - 1);
  const files = [...new Set(mutants.map(({ file }) => file))];
  let noticed = 0;
  for (const [index, mutant] of mutants.entries()) {
    const { outcome, by } = await tried(mutant, files);
    if (outcome === 'noticed') noticed += 1;
    const change = `${mutant.file}:${mutant.line}  ${mutant.from} → ${mutant.to || '(nothing)'}`;
    console.log(`${String(first + index).padStart(3)}  ${outcome.padEnd(9)} ${change}${by && `  (${by})`}`);
  }
  console.log(`${noticed} of ${mutants.length} mutants were noticed (seed ${values.seed}).`);
  process.exitCode = noticed === mutants.length ? 0 : 1;
  tester?.disconnect();
  if (tester) await once(tester, 'exit');
} finally {
  await tidyUp();
}

/** Returns all mutants of the folders. */
async function candidates(): Promise<Candidate[]> {
  const files = git('ls-files', '--', ...folders)
    .split('\n')
    .filter((file) => /\.tsx?$/.test(file) && !/\.d\.ts$|\/migrations\//.test(file));
  if (files.length === 0) throw new Error(`No source file is in ${folders.join(', ')}.`);
  const found = await Promise.all(
    files.map(async (file) =>
      mutantsOf(file, await readFile(path.join(copy, file), 'utf8')).map((mutant) => ({ ...mutant, file })),
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

/** Tries the mutant. A tester that hangs is ended, and another one takes its place. */
async function tried(mutant: Candidate, files: string[]): Promise<Verdict> {
  tester ??= await started(files);
  tester.send(mutant);
  const verdict = await nextMessage(tester, (message) => typeof message === 'object');
  if (verdict) return verdict as Verdict;
  if (tester.exitCode !== null) throw new Error('The process of the tests ended by itself.');
  await endTester();
  git('-C', copy, 'checkout', '--quiet', '--', mutant.file);
  return { outcome: 'noticed', by: 'a test that waits for ever' };
}

async function started(files: string[]): Promise<ChildProcess> {
  tester = fork(path.join(copy, 'tests/mutants/tester.ts'), ['related', ...files], {
    cwd: copy,
    execArgv: ['--import', 'tsx'],
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    // It leads a group of processes, which ends with it.
    detached: true,
  });
  if (!(await nextMessage(tester, (message) => message === 'ready'))) throw new Error('The tests do not start.');
  return tester;
}

/** Returns the next message of a kind; null if the process is silent for too long, or ends. */
async function nextMessage(child: ChildProcess, isWanted: (message: Message) => boolean): Promise<Message | null> {
  const next = await new Promise<Message | null>((resolve) => {
    let silence: NodeJS.Timeout;
    const finish = (message: Message | null) => {
      clearTimeout(silence);
      child.off('message', hear);
      child.off('exit', leave);
      resolve(message);
    };
    const leave = () => finish(null);
    const hear = (message: Message) => {
      clearTimeout(silence);
      silence = setTimeout(leave, silenceMs);
      if (isWanted(message)) finish(message);
    };
    silence = setTimeout(leave, silenceMs);
    child.on('message', hear);
    child.on('exit', leave);
  });
  await stopping;
  return next;
}

/** Ends the tester and what it has started; its database, which leads a group of its own, too. */
async function endTester(): Promise<void> {
  const ended = tester;
  tester = undefined;
  if (!ended || ended.exitCode !== null || ended.signalCode !== null) return;
  const gone = once(ended, 'exit');
  process.kill(-ended.pid!, 'SIGKILL');
  await gone;
  await clearAbandoned();
}

async function tidyUp(): Promise<void> {
  await endTester();
  git('worktree', 'remove', '--force', copy);
}
