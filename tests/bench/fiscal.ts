/**
 * Measures what VERI*FACTU adds to a sale at a quarter of the CPU speed: from the tap to the stored sale at the counter,
 * and the commit of a payment alone. Both rules take turns on one tablet, whose server is stopped.
 */
import { Tablet } from '../support/tablet.ts';
import { PageCpu, tabletContext, withBrowser, withClinic } from './clinic.ts';
import { addServices } from './counter.ts';
import { noDelays, observeCounter, sellRound } from './counter-page.ts';
import type { Figure, Form } from './figures.ts';
import { goals } from './goals.ts';
import { callInPage } from './in-page.ts';
import { printSummary, summarise } from './statistics.ts';
import { buildBench, serveBenchModules } from './sync/build.ts';

const throttle = 4;
const salesPerRound = 10;
const turnsPerRound = 50;
const arms = ['plain', 'verifactu'] as const;

/** Returns the ratio of the medians of each round. */
const byRounds = (ours: readonly number[], theirs: readonly number[], size: number): number[] =>
  Array.from({ length: Math.floor(ours.length / size) }, (_, round) => {
    const medianOf = (all: readonly number[]) => summarise(all.slice(round * size, (round + 1) * size)).median;
    return medianOf(ours) / medianOf(theirs);
  });

export async function benchFiscal({ short }: Form): Promise<Figure[]> {
  await buildBench();
  return withClinic(({ clinic, connectionString }) =>
    withBrowser(async (browser) => {
      await addServices(connectionString);
      const context = await tabletContext(browser, clinic.url);
      await observeCounter(context);
      await serveBenchModules(context);
      const tablet = new Tablet(clinic, context, await context.newPage());
      const { page } = tablet;
      await tablet.signIn();
      // These calls load the modules at full speed.
      const { bytes, ...owner } = tablet.actorKey!;
      await callInPage(page, 'counter', 'signAs', owner, [...bytes]);
      await callInPage(page, 'commit', 'issueBy', 'plain');
      await clinic.stop();
      const cpu = await PageCpu.of(page);
      await cpu.throttle(throttle);

      const taps = { plain: noDelays(), verifactu: noDelays() };
      const rounds = short ? 3 : 10;
      for (let sale = 0; sale < rounds * salesPerRound; sale++) {
        for (const rules of sale % 2 === 0 ? arms : arms.toReversed()) {
          await callInPage(page, 'commit', 'issueBy', rules);
          await sellRound(tablet, cpu, 1, taps[rules]);
        }
      }
      const turns = short ? 4 * turnsPerRound : 10 * turnsPerRound;
      const payments = await callInPage(page, 'commit', 'measureFiscal', turns);

      console.log(`\nVERI*FACTU at the counter, CPU throttled ${throttle}×, by turns`);
      for (const rules of arms) {
        printSummary(`tap to stored, ${rules}`, summarise(taps[rules].ms));
        printSummary(`CPU of the sale, ${rules}`, summarise(taps[rules].cpuMs));
        printSummary(`commit of a payment, ${rules}`, summarise(payments[rules]));
      }
      return [
        {
          goal: goals.fiscal.tap,
          values: byRounds(taps.verifactu.ms, taps.plain.ms, salesPerRound),
          cpuMs: taps.verifactu.cpuMs,
        },
        { goal: goals.fiscal.payment, values: byRounds(payments.verifactu, payments.plain, turnsPerRound) },
      ];
    }),
  );
}
