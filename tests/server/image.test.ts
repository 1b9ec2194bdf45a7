/** The steps of `docs/operating/Dockerfile`, without Docker: with exactly the files that it copies, under the Node.js that it names. */
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cp, mkdtemp, readFile, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { BatchReply } from '#domain/protocol/sync.ts';
import { projectRoot } from '#server/project-root.ts';
import { TestDevice } from '#tests/support/device.ts';
import { eventually } from '#tests/support/eventually.ts';
import { clockVariables } from '#tests/support/fixed-run/fixed-run.ts';
import { isLongRun } from '#tests/support/long-run.ts';
import { freePort } from '#tests/support/server-process.ts';
import { startTestServer } from '#tests/support/server.ts';
import type { TestServer } from '#tests/support/server.ts';

const run = promisify(execFile);
const buildLimitMs = 600_000;

let dockerfile: string;
let folder: string;
let server: TestServer;
beforeAll(async () => {
  dockerfile = await readFile(path.join(projectRoot, 'docs/operating/Dockerfile'), 'utf8');
  folder = await mkdtemp(path.join(tmpdir(), 'dental-counter-image-'));
  server = await startTestServer();
});
afterAll(async () => {
  await server.close();
  await rm(folder, { recursive: true, force: true });
});

const stages = () => dockerfile.split(/^FROM .*$/m).slice(1);

/** Copies what a stage copies. Packages are those that are installed here. */
async function copyStage(stage: string, from: string, to: string): Promise<void> {
  for (const [, list] of stage.matchAll(/^COPY (?:--from=\w+ )?(.+)$/gm)) {
    const names = list!.split(' ').map((name) => name.replace(/^\/app\//, ''));
    const target = names.pop()!;
    for (const name of names) {
      if (name === 'node_modules') await symlink(path.join(projectRoot, name), path.join(to, name));
      else {
        const into = target.endsWith('/') ? path.join(target, path.basename(name)) : target;
        await cp(path.join(from, name), path.join(to, into), { recursive: true });
      }
    }
  }
}

/** Returns the Node.js that the image has, from the registry; in the short run, and without a registry, this one. */
async function nodeOfImage(): Promise<string> {
  const [, major] = /NODE_IMAGE=node:(\d+)-/.exec(dockerfile)!;
  if (!isLongRun) return process.execPath;
  const place = path.join(folder, 'node');
  const name = `node-${process.platform}-${process.arch}`;
  const options = ['--no-save', '--no-package-lock', '--ignore-scripts', '--no-audit', '--no-fund', '--prefix', place];
  try {
    await run('npm', ['install', ...options, `${name}@${major}`], { timeout: 300_000 });
  } catch {
    process.stdout.write(
      `UNAVAILABLE: no Node.js ${major} from the registry; the image is tried with ${process.version}.\n`,
    );
    return process.execPath;
  }
  return path.join(place, 'node_modules', name, 'bin/node');
}

test(
  'the image is built from the files that it copies, and its server starts and sells',
  async () => {
    const [building, serving] = stages();
    const work = path.join(folder, 'build');
    const image = path.join(folder, 'image');
    await copyStage(building!, projectRoot, work);
    await symlink(path.join(projectRoot, 'node_modules'), path.join(work, 'node_modules'));
    const [, step] = /^RUN node (\S+)$/m.exec(building!)!;
    await run(process.execPath, [step!], { cwd: work, env: { PATH: process.env['PATH'], HOME: process.env['HOME'] } });
    await copyStage(serving!, work, image);

    const secret = Buffer.from(server.secret).toString('hex');
    await server.database.$client.query('insert into installation (token_secret) values ($1)', [secret]);
    const tablet = await TestDevice.enrol(server);
    const port = await freePort();
    const node = await nodeOfImage();
    const command = JSON.parse(/^CMD (\[.*\])$/m.exec(serving!)![1]!) as string[];
    const child = spawn(node, command.slice(1), {
      cwd: image,
      env: {
        ...clockVariables(),
        PATH: process.env['PATH'],
        NODE_ENV: 'production',
        PORT: String(port),
        DATABASE_URL: server.connectionString,
      },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    try {
      let output = '';
      child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
      await eventually(() => expect(output).toContain('is ready'));
      const sale = tablet.create();
      const reply = await fetch(`http://127.0.0.1:${port}/api/sync/batch`, {
        method: 'POST',
        headers: { ...tablet.headers, 'content-type': 'application/json' },
        body: JSON.stringify({ operations: tablet.signed([sale, tablet.pay(sale, 60)]) }),
      });
      const { data } = (await reply.json()) as BatchReply;
      expect(data.results.map(({ status }) => status)).toEqual(['applied', 'applied']);
      expect((await fetch(`http://127.0.0.1:${port}/`)).status).toBe(200);
    } finally {
      child.kill('SIGTERM');
      await once(child, 'exit');
    }
  },
  buildLimitMs,
);
