/** The browser is killed in the middle of its work, again and again. */
import { setTimeout as sleep } from 'node:timers/promises';
import { printedRandom, rounds } from '#tests/kill/rounds.ts';
import type { ServerProcess } from '#tests/support/server-process.ts';
import { check } from './flow.ts';
import type { Flow } from './flow.ts';

/** From the start of a round's first sale to the kill. */
const longestMs = 9000;

export const kills: Flow = {
  name: 'kills of the browser while it sells',
  run: async (testbed) => {
    const random = printedRandom(`kills of ${testbed.engine.name}`);
    let tablet = await testbed.signedIn();
    const printed: string[] = [];
    let interrupted = 0;
    for (let round = 0; round < rounds; round++) {
      let isKilled = false;
      const killing = sleep(random.between(200, longestMs)).then(() => {
        isKilled = true;
        return tablet.browser.kill();
      });
      while (!isKilled) {
        try {
          await tablet.counter.openPayment();
          const { number, window } = await tablet.counter.pay();
          printed.push(number);
          await window.close();
        } catch (error) {
          if (!isKilled) throw error;
          interrupted += 1;
        }
      }
      await killing;
      tablet = await testbed.reopened(tablet);
    }
    printed.push((await tablet.counter.sell()).invoice);
    await testbed.settle(tablet.tab, printed);
    const { lost, doubled } = await countLostAndDoubled(testbed.clinic, printed);
    check(lost === 0 && doubled === 0, `${lost} sales are lost, ${doubled} doubled.`);
    return `${rounds} kills, ${printed.length} sales printed, ${interrupted} interrupted; ${lost} lost, ${doubled} doubled`;
  },
};

/** Of the invoices that were printed. */
async function countLostAndDoubled(clinic: ServerProcess, printed: string[]) {
  const booked = await clinic.query<{ number: string }>('select number from invoices where number = any($1)', [
    printed,
  ]);
  const numbers = new Set(booked.map(({ number }) => number));
  return { lost: printed.filter((number) => !numbers.has(number)).length, doubled: booked.length - numbers.size };
}
