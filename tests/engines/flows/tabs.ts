/** Several tabs of one tablet. */
import { pins } from '#tests/e2e/pins.ts';
import { button, css, field, heading, link, region, tabNamed } from '../drivers/elements.ts';
import type { Tab } from '../drivers/tab.ts';
import type { Counter } from '../counter.ts';
import { check } from './flow.ts';
import type { Flow } from './flow.ts';

export const secondTab: Flow = {
  name: 'second tab',
  isSmoke: true,
  run: async (testbed) => {
    const { browser, tab, counter } = await testbed.signedIn();
    const other = counter.at(await browser.newTab());
    await other.goto('/');
    await other.ready();
    const printed = [(await other.sell()).invoice];
    await tab.toFront();
    printed.push((await counter.sell({ method: 'Card' })).invoice);
    check(new Set(printed).size === 2, `Both tabs printed ${printed[0]}.`);

    // One tab creates a treatment, the other one takes its payment.
    await counter.add('Dental check-up');
    await tab.tap(button('Create Treatment'));
    const [, number] = await tab.reads(/Treatment created\s[^]*?(T-[A-Z]+\d-\d{6})/);
    await other.tab.toFront();
    await other.tab.tap(tabNamed('Process payment'));
    await other.tab.tap(button(new RegExp(number!)));
    const paid = await other.pay();
    printed.push(paid.number);
    await paid.window.close();
    await tab.toFront();
    await tab.tap(tabNamed('Process payment'));
    await tab.hides(button(new RegExp(number!)));
    await testbed.settle(tab, printed);
  },
};

const locked = heading('Locked');

export async function setPin(counter: Counter, role: keyof typeof pins): Promise<void> {
  const { tab } = counter;
  await counter.goto('/profile');
  const section = region('PIN on this tablet');
  await tab.fill(field('New PIN', section), pins[role]);
  await tab.fill(field('Repeat the new PIN', section), pins[role]);
  await tab.fill(field('Your password', section), `demo-${role}`);
  await tab.tap(button('Set PIN', section));
  await tab.reads(/You have a PIN on this tablet\./);
}

export async function lock(tab: Tab): Promise<void> {
  await tab.tap(button(/^Account of/));
  await tab.tap(button('Lock'));
  await tab.shows(locked);
}

export async function tapPin(tab: Tab, pin: string): Promise<void> {
  for (const digit of pin) await tab.tap(button(digit));
}

export const lockWithTwoTabs: Flow = {
  name: 'lock and PIN, two tabs',
  isSmoke: true,
  run: async (testbed) => {
    const { browser, tab, counter } = await testbed.signedIn();
    await setPin(counter, 'counter');
    await counter.goto('/counter');
    await counter.ready();
    const other = counter.at(await browser.newTab());
    await other.goto('/');
    await other.ready();
    const printed: string[] = [];
    for (const [locking, follower] of [
      [counter, other],
      [other, counter],
    ] as const) {
      await locking.tab.toFront();
      await lock(locking.tab);
      await follower.tab.toFront();
      await follower.tab.shows(locked);
      check(!(await follower.tab.has(css('[data-tile]'))), 'The locked tab still shows services.');
      await tapPin(follower.tab, pins.counter);
      await follower.tab.hides(locked);
      await locking.tab.toFront();
      await locking.tab.hides(locked);
      for (const each of [locking, follower]) {
        await each.tab.toFront();
        await each.ready();
        printed.push((await each.sell()).invoice);
      }
    }
    // The session survived: nobody has to sign in again.
    await tab.reload();
    await counter.ready();
    check(!(await tab.has(link('Sign in'))), 'The session has ended.');
    await testbed.settle(tab, printed);
  },
};

export const standingLock: Flow = {
  name: 'a lock that nobody frees',
  run: async (testbed) => {
    const { tab, counter } = await testbed.signedIn();
    // Its holder does not answer, like a worker that ended without freeing it.
    await tab.evaluate(() => {
      const never = () => new Promise(() => undefined);
      navigator.locks.request('dental-counter-sync', never).catch(() => undefined);
    });
    await tab.until('the lock is held', () =>
      tab.evaluate(async () => {
        const { held = [], pending = [] } = await navigator.locks.query();
        return held.some(({ name }) => name === 'dental-counter-sync') && pending.length === 0;
      }),
    );
    const printed = [(await counter.sell()).invoice];
    await testbed.settle(tab, printed);
    await tab.until('the app tells that the lock was taken', () =>
      tab.evaluate(() => localStorage.getItem('standstill')?.includes('"call":null') === true),
    );
  },
};
