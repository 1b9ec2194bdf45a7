/** The programs of the operating system that the tests need: found, installed, or asked for by name. */
import { execFile } from 'node:child_process';
import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { projectRoot } from '#server/project-root.ts';

const library = (name: string) => pathToFileURL(path.join(projectRoot, 'scripts/lib', name)).href;
let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'dental-counter-programs-'));
});
afterEach(() => rm(folder, { recursive: true }));

async function program(name: string, script: string): Promise<void> {
  const file = path.join(folder, name);
  await writeFile(file, `#!/bin/sh\n${script}\n`);
  await chmod(file, 0o755);
}

/** Runs a module as root or as somebody else, with a PATH of the test's own programs. @returns what it prints */
function runAs(uid: number, source: string): Promise<string> {
  const module = `process.getuid = () => ${uid}; ${source}`;
  const env = { ...process.env, PATH: folder };
  return new Promise((resolve, reject) => {
    execFile(process.execPath, ['--input-type=module', '-e', module], { env }, (error, stdout, stderr) =>
      error ? reject(error) : resolve(stdout + stderr),
    );
  });
}

const ensure = (uid: number) =>
  runAs(
    uid,
    `const { ensureTestPrograms } = await import('${library('test-programs.mjs')}');
    await ensureTestPrograms().then(() => console.log('found'), ({ message }) => console.log(message));`,
  );
const calls = () => readFile(path.join(folder, 'calls'), 'utf8');
/** An apt-get whose update ends with the code; with package lists it installs what it is asked for. */
const aptGet = (updateCode: number, { hasLists }: { hasLists: boolean }) =>
  program(
    'apt-get',
    `echo "$2" >> ${folder}/calls
[ "$2" = update ] && exit ${updateCode}
${hasLists ? `for name in xmllint openssl; do echo '#!/bin/sh' > ${folder}/$name; /bin/chmod 755 ${folder}/$name; done` : 'exit 100'}`,
  );

describe('the programs of the tests', () => {
  test('are used where they are', async () => {
    for (const name of ['xmllint', 'openssl', 'apt-get']) await program(name, 'exit 1');
    expect(await ensure(0)).toBe('found\n');
  });

  test('are installed by root, on a new machine after its package lists', async () => {
    await aptGet(0, { hasLists: true });
    expect(await ensure(0)).toContain('found\n');
    expect(await calls()).toBe('update\ninstall\n');
  });

  test('are installed from the lists of an earlier day when the network is gone', async () => {
    await aptGet(100, { hasLists: true });
    expect(await ensure(0)).toContain('found\n');
  });

  test('are asked for by name, with the reason, where nothing can be installed', async () => {
    await aptGet(100, { hasLists: false });
    const offline = await ensure(0);
    expect(offline).toContain('Is this machine offline?');
    expect(offline).toContain('apt-get update && apt-get install libxml2-utils openssl');
    await rm(path.join(folder, 'calls'));
    expect(await ensure(1000)).toContain('apt-get update && apt-get install libxml2-utils openssl');
    await expect(calls()).rejects.toThrow();
  });
});

test('an engine besides Chromium that cannot be installed is unavailable, by name, which is no failure', async () => {
  const printed = await runAs(
    1000,
    `const { engineNames, testEngines } = await import('${library('engines.mjs')}');
    console.log(await testEngines(engineNames, []));`,
  );
  expect(printed).toMatch(/^UNAVAILABLE: firefox .* apt-get install firefox-esr$/m);
  expect(printed).toMatch(/^UNAVAILABLE: webkit .* apt-get install webkit2gtk-driver .*xvfb/m);
  expect(printed).toMatch(/^unavailable$/m);
});
