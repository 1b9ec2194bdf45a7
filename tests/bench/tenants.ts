/**
 * Two clinics on one server: one opens a thousand event streams, sends 10,000 operations a minute that are refused, and
 * imports tables of 20,000 rows and reads lists and reports as sixteen people, without a pause. Measures the sales and the pokes of the other, with and without this
 * load. Rounds are interleaved, so that other load on the machine affects both alike.
 */
import { fork } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { AnyOperation } from '#domain/protocol/operations.ts';
import { Testbed } from '../fuzz/testbed.ts';
import { line } from '../support/device.ts';
import type { TestDevice } from '../support/device.ts';
import { insertStockItem } from '../support/stock.ts';
import type { Figure, Form } from './figures.ts';
import { goals } from './goals.ts';
import { printSummary, summarise } from './statistics.ts';
import type { Done, LoadPlan } from './tenants/load.ts';

const salesPerRound = 80;
const pauseMs = 200;
const retryMs = 500;
const sessions = 125;
const load = { refusalsPerMinute: 10_000, streamsPerSession: 8, importedRows: 20_000, readers: 16 };

export interface Times {
  sale: number[];
  poke: number[];
}

export async function benchTenants({ short }: Form): Promise<Figure[]> {
  const testbed = await Testbed.create();
  const child = await loadFrom(testbed);
  const leaving = new AbortController();
  try {
    const { otherClinicId: clinicId } = testbed;
    await insertStockItem({ database: testbed.database, clinicId }, { quantity: 1000 });
    const seller = await testbed.enrol('counter', clinicId);
    const pokes = await listen(testbed, await testbed.enrol('counter', clinicId), leaving.signal);
    console.log('\nTwo clinics');
    const rounds = short ? 1 : 4;
    const [alone, beside]: [Times, Times] = [
      { sale: [], poke: [] },
      { sale: [], poke: [] },
    ];
    await measure(seller, pokes, { sale: [], poke: [] });
    for (let round = 0; round < rounds; round++) {
      await measure(seller, pokes, alone);
      child.send('start');
      await once(child, 'message');
      await measure(seller, pokes, beside);
      child.send('stop');
      const [{ streams, refusals, imports, reads, errors }] = (await once(child, 'message')) as [Done];
      console.log(
        `  round ${round + 1}: ${streams} streams, ${refusals} refusals, ${imports} imports, ${reads} reads, ${errors} errors`,
      );
    }
    return (['sale', 'poke'] as const).map((what) => {
      const [without, withLoad] = [summarise(alone[what]), summarise(beside[what])];
      printSummary(`${what}, alone`, without);
      printSummary(`${what}, beside the other clinic's load`, withLoad);
      return { goal: goals.tenants[what], values: [withLoad.p95 / without.p95] };
    });
  } finally {
    child.kill();
    leaving.abort();
    await testbed.close();
  }
}

async function loadFrom(testbed: Testbed): Promise<ChildProcess> {
  const tokens: string[] = [];
  for (let session = 0; session < sessions; session++) tokens.push(await testbed.signIn('counter'));
  const { token, userId, info } = await testbed.enrol('kitchen');
  const manager = { token: await testbed.signIn('manager') };
  const plan: LoadPlan = { url: testbed.server.url, tokens, kitchen: { token, userId, info }, manager, ...load };
  return fork(path.join(import.meta.dirname, 'tenants/load.ts'), [JSON.stringify(plan)]);
}

/** Waits for the next poke of a device. */
export interface Pokes {
  next(): Promise<void>;
}

export async function listen({ server }: Testbed, device: TestDevice, signal: AbortSignal): Promise<Pokes> {
  const reply = await fetch(`${server.url}/api/sync/events`, { headers: device.headers, signal });
  let poked = (): void => undefined;
  void (async () => {
    for await (const chunk of reply.body!.pipeThrough(new TextDecoderStream()))
      if (chunk.includes('event: change')) poked();
  })().catch(() => undefined);
  return { next: () => new Promise((resolve) => (poked = resolve)) };
}

/** Sells, and waits for the poke that each sale causes. */
export async function measure(
  seller: TestDevice,
  pokes: Pokes,
  { sale, poke }: Times,
  count = salesPerRound,
): Promise<void> {
  for (let left = count; left > 0; left--) {
    const created = seller.create([line()]);
    const operations = [created, seller.pay(created, 60, { invoice: seller.invoice(created.payload.items) })];
    const arrived = pokes.next();
    const started = performance.now();
    await sendUntilApplied(seller, operations);
    sale.push(performance.now() - started);
    await arrived;
    poke.push(performance.now() - started);
    await sleep(pauseMs);
  }
}

/** Sends until the server applies everything, as a tablet does. The time of a sale includes the failed attempts. */
async function sendUntilApplied(seller: TestDevice, operations: AnyOperation[]): Promise<void> {
  for (;;) {
    const results = await seller.send(...operations).catch((error: Error) => error);
    if (!(results instanceof Error)) {
      if (results.every(({ status }) => status === 'applied')) return;
      throw new Error(JSON.stringify(results));
    }
    console.log(`  the other clinic's sale: ${results.message.slice(0, 120)}`);
    await sleep(retryMs);
  }
}
