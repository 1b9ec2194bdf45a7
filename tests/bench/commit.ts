/** Compares the commit at the counter with a bare strict transaction of the same rows, by turns. */
import type { Figure, Form } from './figures.ts';
import { goals } from './goals.ts';
import { callInPage } from './in-page.ts';
import { printSummary, summarise } from './statistics.ts';
import { startTestbed } from './sync/testbed.ts';

export async function benchCommit({ short }: Form): Promise<Figure[]> {
  const testbed = await startTestbed();
  try {
    console.log('\nCommit at the counter, compared with a bare strict transaction of the same rows');
    const figures: Figure[] = [];
    for (const command of ['createTreatment', 'takePayment'] as const) {
      const page = await testbed.page('clinic', 0);
      await callInPage(page, 'counter', 'open');
      const times = await callInPage(page, 'commit', 'measureCommits', command, short ? 200 : 500);
      await page.context().close();
      const [ours, bare] = [summarise(times.command), summarise(times.raw)];
      printSummary(command, ours);
      printSummary('bare transaction', bare);
      figures.push({ goal: goals.commit[command], values: [ours.p99 / bare.p99] });
    }
    return figures;
  } finally {
    await testbed.end();
  }
}
