/** A long import lets other requests of the process have their turn. */
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { BackOffice } from './clinic.ts';

const rows = 20_000;
let office: BackOffice;
beforeAll(async () => {
  office = await BackOffice.open();
});
afterAll(() => office.server.close());

const csv = [
  'name,supplier,supplier_contact,quantity,cost_per_unit',
  ...Array.from(
    { length: rows },
    (_, index) => `Guantes ${index},Proveedor Ñ ${index % 100},pedidos@madrid.test,5,1.25`,
  ),
].join('\n');

/**
 * Returns the most time in milliseconds that this thread calculates while other work waits for its turn. Time in which
 * other processes have the processor does not count, and neither does what the compiler calculates beside this thread.
 */
async function longestStretch(work: () => Promise<unknown>): Promise<number> {
  const delays = monitorEventLoopDelay({ resolution: 5 });
  let longest = 0;
  let isOver = false;
  let before = process.cpuUsage();
  let beforeMs = performance.now();
  const look = (): void => {
    const { user, system } = process.cpuUsage(before);
    longest = Math.max(longest, Math.min((user + system) / 1000, performance.now() - beforeMs));
    before = process.cpuUsage();
    beforeMs = performance.now();
    if (!isOver) setTimeout(look);
  };
  delays.enable();
  look();
  await work();
  isOver = true;
  delays.disable();
  console.info(`Longest stretch ${Math.round(longest)} ms; delay of a timer up to ${Math.round(delays.max / 1e6)} ms.`);
  return longest;
}

const mostMs = 100;

test('a preview of 20,000 rows calculates in short stretches', async () => {
  const longest = await longestStretch(async () => {
    const reply = await office.call('POST', '/stock/import', { csv, confirm: false });
    expect(reply.json().data).toMatchObject({ rows, new: rows, errorCount: 0 });
  });
  expect(longest).toBeLessThan(mostMs);
});

test('an import of 20,000 rows, and a preview over as many items, calculate in short stretches', async () => {
  const importing = await longestStretch(async () => {
    const reply = await office.call('POST', '/stock/import', { csv, confirm: true });
    expect(reply.json().data).toMatchObject({ rows, new: rows, written: true });
  });
  const looking = await longestStretch(async () => {
    const reply = await office.call('POST', '/stock/import', { csv, confirm: false });
    expect(reply.json().data).toMatchObject({ rows, unchanged: rows });
  });
  expect(importing).toBeLessThan(mostMs);
  expect(looking).toBeLessThan(mostMs);
});
