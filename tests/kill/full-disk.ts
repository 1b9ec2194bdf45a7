/**
 * Tests a server whose disk fills up. Run it by hand, as root on Linux, because it mounts a small file system:
 *
 *   npm run build && npx tsx tests/kill/full-disk.ts
 *
 * Each round leaves less space. Sales continue until the disk is full, then space is freed. Every acknowledged sale must be there.
 */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, rmSync, rmdirSync, statfsSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { ServerProcess } from '../support/server-process.ts';

const sizeMb = 400;
const block = Buffer.alloc(65_536, 1);
const fillTimeoutMs = 30_000;
const refusalsPerRound = 40;
const recoversWithinMs = 60_000;

const disk = mkdtempSync(path.join(tmpdir(), 'full-disk-'));
execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${sizeMb}m,mode=0755`, 'tmpfs', disk]);
process.env['TMPDIR'] = disk;
const filler = path.join(disk, 'filler');

/** Fills the disk except for `leaveMb`. */
function fill(leaveMb: number): void {
  const file = openSync(filler, 'w');
  const { bavail, bsize } = statfsSync(disk);
  for (let left = bavail * bsize; left > leaveMb * 1e6 + block.length; left -= block.length) writeSync(file, block);
  closeSync(file);
}

type Sale = { id: string } | { refusal: string };

async function sell(server: ServerProcess, headers: Record<string, string>): Promise<Sale> {
  const body = JSON.stringify({ items: [{ stock_id: 1, quantity: 1 }], notes: 'y'.repeat(1900) });
  const reply = await fetch(`${server.url}/api/orders`, { method: 'POST', headers, body });
  const { data, code, message } = (await reply.json()) as { data?: { id: string }; code?: string; message?: string };
  if (reply.status === 201) return { id: data!.id };
  assert.equal(reply.status, 503);
  assert.ok(message);
  return { refusal: code! };
}

async function round(server: ServerProcess, headers: Record<string, string>, leaveMb: number): Promise<void> {
  fill(leaveMb);
  const acknowledged: string[] = [];
  let refused = 0;
  for (const until = Date.now() + fillTimeoutMs; Date.now() < until && refused < refusalsPerRound;) {
    const sale = await sell(server, headers);
    if ('id' in sale) acknowledged.push(sale.id);
    else refused += 1;
  }
  assert.equal(refused, refusalsPerRound, 'The disk did not fill up');
  rmSync(filler);
  const freedAtMs = Date.now();
  while (!('id' in (await sell(server, headers)))) {
    assert.ok(Date.now() < freedAtMs + recoversWithinMs, 'The server did not recover');
    await delay(100);
  }
  const recoveryMs = Date.now() - freedAtMs;
  for (const id of acknowledged)
    assert.equal((await fetch(`${server.url}/api/orders/${id}`, { headers })).status, 200, `${id} is missing`);
  process.stdout.write(
    `${leaveMb} MB left: ${acknowledged.length} sold, ${refused} refused with 503, selling again ${recoveryMs} ms after space was freed, no sale missing\n`,
  );
}

try {
  const server = await ServerProcess.create();
  try {
    const headers = { authorization: `Bearer ${await server.signIn()}`, 'content-type': 'application/json' };
    for (const leaveMb of [12, 4, 0]) await round(server, headers, leaveMb);
  } finally {
    await server.destroy();
  }
} finally {
  execFileSync('umount', [disk]);
  rmdirSync(disk);
}
