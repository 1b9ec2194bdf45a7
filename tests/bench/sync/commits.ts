/** Compares the commit at the counter with a bare strict transaction of the same rows. */
import { callInPage } from '../in-page.ts';
import { printSummary, summarise } from '../statistics.ts';
import { timesRawCommit } from './goals.ts';
import type { Testbed } from './testbed.ts';

const turns = 500;

export async function compareCommits(testbed: Testbed): Promise<void> {
  console.log('\nCommit at the counter, compared with a bare strict transaction of the same rows, interleaved');
  for (const command of ['createTreatment', 'takePayment'] as const) {
    const page = await testbed.page('clinic', 0);
    await callInPage(page, 'counter', 'open');
    const times = await callInPage(page, 'commit', 'measureCommits', command, turns);
    await page.context().close();
    const [ours, raw] = [summarise(times.command), summarise(times.raw)];
    printSummary(command, ours);
    printSummary('bare transaction', raw);
    const ratio = ours.p99 / raw.p99;
    console.log(
      `${ratio <= timesRawCommit ? 'reached' : 'MISSED '}  p99 as a multiple of a bare transaction: ${ratio.toFixed(2)}, goal at most ${timesRawCommit}`,
    );
  }
}
