/**
 * A clinic that sells, beside storms of another one: connections that ask for the description of the API, exports that nobody reads,
 * operations with runs of one character, and test mails to a mail server that keeps silent. Calm and storm alternate, so that other
 * load on the machine affects both alike.
 */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { Testbed } from '../fuzz/testbed.ts';
import { muteMailServer } from '../support/mute-mail-server.ts';
import { insertStockItem } from '../support/stock.ts';
import type { Figure, Form } from './figures.ts';
import { goals } from './goals.ts';
import { printSummary, summarise } from './statistics.ts';
import { storms } from './storms/kinds.ts';
import type { Storm, StormPlan } from './storms/kinds.ts';
import { listen, measure } from './tenants.ts';
import type { Times } from './tenants.ts';

const people = 4;
const salesPerRound = { short: 25, long: 80 };

export async function benchStorms({ short }: Form): Promise<Figure[]> {
  const mail = await muteMailServer();
  const environment = { SMTP_URL: mail.url, SMTP_FROM: 'reports@clinic.test' };
  const testbed = await Testbed.create({ settings: { notification_email: 'jefa@clinic.test' }, environment });
  const leaving = new AbortController();
  try {
    const { otherClinicId: clinicId } = testbed;
    await insertStockItem({ database: testbed.database, clinicId }, { quantity: 10_000 });
    const seller = await testbed.enrol('counter', clinicId);
    const pokes = await listen(testbed, await testbed.enrol('counter', clinicId), leaving.signal);
    const tokens = await Promise.all(Array.from({ length: people }, () => testbed.signIn('admin')));
    const sales = short ? salesPerRound.short : salesPerRound.long;
    const worst = { sale: 0, poke: 0 };
    const nothing = (): Times => ({ sale: [], poke: [] });
    await measure(seller, pokes, nothing(), sales);
    console.log('\nStorms');
    for (const storm of storms) {
      const [calm, raging] = [nothing(), nothing()];
      await measure(seller, pokes, calm, sales);
      await during(storm, { url: testbed.server.url, storm, tokens }, () => measure(seller, pokes, raging, sales));
      for (const what of ['sale', 'poke'] as const) {
        const [alone, beside] = [summarise(calm[what]), summarise(raging[what])];
        printSummary(`${what}, before the storm of ${storm}`, alone);
        printSummary(`${what}, in it`, beside);
        worst[what] = Math.max(worst[what], beside.p95 / alone.p95);
      }
    }
    return (['sale', 'poke'] as const).map((what) => ({ goal: goals.storms[what], values: [worst[what]] }));
  } finally {
    leaving.abort();
    await testbed.close();
    mail.close();
  }
}

async function during(storm: Storm, plan: StormPlan, work: () => Promise<void>): Promise<void> {
  const child = fork(path.join(import.meta.dirname, 'storms/storm.ts'), [JSON.stringify(plan)]);
  try {
    await once(child, 'message');
    await work();
  } finally {
    child.kill();
    await once(child, 'exit');
    console.log(`  the storm of ${storm} is over`);
  }
}
