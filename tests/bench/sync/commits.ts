/** The commit at the counter against a bare strict transaction of the same rows. */
import { callInPage } from '../in-page.ts';
import { printSummary, summarise } from '../statistics.ts';
import { timesRawCommit } from './goals.ts';
import type { World } from './testbed.ts';

const turns = 500;

export async function compareCommits(world: World): Promise<void> {
  console.log('\nCommit at the counter against a bare strict transaction of the same rows, taking turns');
  for (const command of ['createTreatment', 'takePayment'] as const) {
    const page = await world.page('clinic', 0);
    await callInPage(page, 'counter', 'open');
    const times = await callInPage(page, 'commit', 'measureCommits', command, turns);
    await page.context().close();
    const [ours, raw] = [summarise(times.command), summarise(times.raw)];
    printSummary(command, ours);
    printSummary('bare transaction', raw);
    const ratio = ours.p99 / raw.p99;
    console.log(
      `${ratio <= timesRawCommit ? 'reached' : 'MISSED '}  p99 times a bare transaction: ${ratio.toFixed(2)}, goal at most ${timesRawCommit}`,
    );
  }
}
