/** Asks for long replies and reads nothing of them, as a seed draws. They must neither fill the memory nor hold up anybody else. */
import { readFileSync } from 'node:fs';
import { connect } from 'node:net';
import type { Socket } from 'node:net';
import { setTimeout as after } from 'node:timers/promises';
import { line } from '../support/device.ts';
import type { TestDevice } from '../support/device.ts';
import { seededRandom } from '../support/random.ts';
import { longestMs } from './aftermath.ts';
import type { Testbed } from './testbed.ts';

const longTreatments = 20;
const linesOfEach = 120;
const mostUnread = 200;
const unreadForMs = 10_000;
/** What one person may have on the way, several times over: texts are parsed, written and compressed. */
const mostGrowthMb = 400;

const paths = [
  'orders?per_page=200',
  'orders?per_page=100&page=2',
  'sync/changes',
  'products',
  'services?per_page=1000',
  'patients?per_page=200',
  'audit?limit=100',
  'products/export.csv',
] as const;

/** @returns the faults */
export async function unreadReplies(
  { server }: Testbed,
  { attacker, other }: Record<'attacker' | 'other', TestDevice>,
  seed: number,
): Promise<string[]> {
  for (let made = 0; made < longTreatments; made += 1)
    await attacker.send(attacker.create(Array.from({ length: linesOfEach }, () => line({ notes: 'n'.repeat(1900) }))));
  const random = seededRandom(seed, 'unread replies');
  const before = residentMb(server.pid);
  const count = random.between(20, mostUnread);
  const sockets: Socket[] = [];
  for (let asked = 0; asked < count; asked += 1) {
    const path = random.pick(paths);
    const socket = connect(server.port, '127.0.0.1').on('error', () => undefined);
    const { authorization } = attacker.headers;
    socket.pause().write(`GET /api/${path} HTTP/1.1\r\nhost: 127.0.0.1\r\nauthorization: ${authorization}\r\n\r\n`);
    sockets.push(socket);
  }
  const faults: string[] = [];
  let peak = before;
  for (const endMs = performance.now() + unreadForMs; performance.now() < endMs; await after(500)) {
    const started = performance.now();
    const [sold] = await other.send(other.create([line()]));
    const ms = performance.now() - started;
    if (sold?.status !== 'applied') faults.push(`a sale beside unread replies: ${JSON.stringify(sold)}`);
    if (ms > longestMs) faults.push(`a sale beside unread replies took ${ms.toFixed(0)} ms`);
    peak = Math.max(peak, residentMb(server.pid));
  }
  for (const socket of sockets) socket.destroy();
  console.log(`  ${count} replies that nobody read: ${before.toFixed(0)} MB before, at most ${peak.toFixed(0)} MB`);
  if (peak - before > mostGrowthMb) faults.push(`${count} unread replies hold ${(peak - before).toFixed(0)} MB`);
  return faults;
}

/** Returns the memory of a process; 0 where the system does not tell. */
function residentMb(pid: number): number {
  try {
    return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1024;
  } catch {
    return 0;
  }
}
