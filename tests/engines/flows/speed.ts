/** Openings, taps and searches with 10,000 services, with the measurements of `npm run bench`, but at the machine's full speed. */
import { setTimeout as sleep } from 'node:timers/promises';
import { withClinic } from '#tests/bench/clinic.ts';
import { addServices } from '#tests/bench/counter.ts';
import { awaitResults, observe } from '#tests/bench/counter-page.ts';
import { askAtOnce, watch } from '#tests/bench/opening.ts';
import { summarise } from '#tests/bench/statistics.ts';
import { button, css } from '../drivers/elements.ts';
import { callOf } from '../drivers/page-functions.ts';
import type { Counter } from '../counter.ts';
import type { Tab } from '../drivers/tab.ts';
import { Testbed } from '../testbed.ts';
import type { Flow } from './flow.ts';

const sales = 15;
const openings = 11;
const searches = ['implant ab', 'hygiene ca', 'crown d'];
const searchField = css('input[type=search]');

/** @returns milliseconds from the tap on the payment until the sale is stored */
async function timeSale(counter: Counter): Promise<number> {
  const { tab } = counter;
  await counter.openPayment('Amalgam');
  await sleep(150);
  await tab.evaluate(() => {
    window.taps.length = 0;
    window.stored.length = 0;
  });
  const { window: paper } = await counter.pay(() => tab.tap(button('Process Payment')));
  const ms = await tab.until('the sale is stored', () =>
    tab.evaluate(() => (window.stored.length > 0 ? window.stored[0]! - window.taps[0]! : null)),
  );
  await paper.close();
  return ms!;
}

/** @returns milliseconds from each letter to the first frame with its results */
async function timeSearch(tab: Tab, name: string): Promise<number[]> {
  const found: number[] = [];
  await tab.fill(searchField, '');
  for (const letter of name) {
    await sleep(400);
    await tab.evaluate(awaitResults);
    await tab.type(letter);
    await sleep(250);
    const [typed, shown] = await tab.evaluate(() => [window.keystrokes[0], window.results[0]]);
    // A letter that leaves the results as they are changes nothing on screen.
    if (typeof typed === 'number' && typeof shown === 'number') found.push(shown - typed);
  }
  return found;
}

/** @returns milliseconds from the start of an opening until services show, and until the results of a search do */
async function timeOpening(counter: Counter): Promise<{ shown: number; answered: number }> {
  await counter.goto('/');
  const { tab } = counter;
  const met = await tab.until('the search shows its results', () =>
    tab.evaluate(() => (window.met?.answeredAt == null ? null : window.met)),
  );
  await sleep(500);
  return { shown: met!.shownAt!, answered: met!.answeredAt! };
}

function described(what: string, values: readonly number[]): string {
  const { median, p95 } = summarise(values);
  return `${what} ${median.toFixed(0)} ms, p95 ${p95.toFixed(0)} (${values.length})`;
}

export const speed: Flow = {
  name: 'speed',
  isOnRequest: true,
  run: ({ engine }) =>
    withClinic(async ({ clinic, connectionString }) => {
      await addServices(connectionString);
      const testbed = await Testbed.create(engine, clinic);
      try {
        const tablet = await testbed.signedIn('counter', { script: callOf(observe, []) });
        const { tab, counter } = tablet;
        const tapped: number[] = [];
        for (let sale = 0; sale < sales; sale++) tapped.push(await timeSale(counter));
        const searched: number[] = [];
        for (const name of searches) searched.push(...(await timeSearch(tab, name)));
        await testbed.settle(tab, []);
        await tablet.browser.close();

        testbed.loseNetwork();
        const script = `${callOf(watch, [])}; ${callOf(askAtOnce, [])};`;
        const again = await testbed.open({ profile: tablet.profile, script });
        const opened: Awaited<ReturnType<typeof timeOpening>>[] = [];
        for (let opening = 0; opening < openings; opening++) opened.push(await timeOpening(again.counter));
        return [
          described('tap to stored', tapped),
          described('key to result', searched),
          described(
            'offline until services show',
            opened.map(({ shown }) => shown),
          ),
          described(
            'until search results',
            opened.map(({ answered }) => answered),
          ),
        ].join('; ');
      } finally {
        await testbed.close();
      }
    }),
};
