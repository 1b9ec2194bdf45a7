/** Work without a connection, and what follows it. */
import { setTimeout as sleep } from 'node:timers/promises';
import { readTabletStorage } from '#tests/kill/consistency.ts';
import { check } from './flow.ts';
import type { Flow } from './flow.ts';

export const offline: Flow = {
  name: 'offline, with reload and restart of the browser',
  isSmoke: true,
  run: async (testbed) => {
    let tablet = await testbed.signedIn();
    const printed: string[] = [];
    const sell = async () => printed.push((await tablet.counter.sell()).invoice);
    await sell();
    await tablet.counter.status(/Online/);
    testbed.loseNetwork();
    await sell();
    await tablet.counter.status(/Offline/);
    await tablet.tab.reload();
    await tablet.counter.ready();
    await sell();
    await tablet.counter.add('Dental check-up');
    await tablet.browser.close();

    tablet = await testbed.reopened(tablet);
    check((await tablet.tab.text()).includes('EUR 35,00'), 'The plan did not survive the restart.');
    await sell();
    await tablet.browser.kill();
    tablet = await testbed.reopened(tablet);
    await sell();
    const { operations } = await readTabletStorage(tablet.tab);
    check(
      operations.some(({ status }) => status !== 'settled'),
      'Nothing waits, although the server cannot be reached.',
    );
    await tablet.counter.goto('/outbox');
    await tablet.tab.reads(/Keep the app open until then/);

    testbed.findNetwork();
    await testbed.settle(tablet.tab, printed);
    await tablet.counter.status(/Online/, 30_000);
  },
};

export const resend: Flow = {
  name: 'resend of what got no reply',
  run: async (testbed) => {
    const { tab, counter } = await testbed.signedIn();
    const printed: string[] = [];
    const sell = async () => printed.push((await counter.sell()).invoice);
    await sell();
    await testbed.settle(tab, printed);
    // The server stores this payment, and its reply is lost. The treatment is there before.
    await counter.openPayment();
    await testbed.settle(tab, printed);
    testbed.proxy.mode = { type: 'half-open' };
    testbed.proxy.cut();
    const { number, window } = await counter.pay();
    printed.push(number);
    const isBooked = async () =>
      (await testbed.clinic.query('select 1 from invoices where number = $1', [number])).length > 0;
    // A pull that hangs ends after thirty seconds.
    await tab.until('the server has the sale', isBooked, { timeoutMs: 60_000 });
    await counter.paper(number);
    await window.close();
    // A server that hangs, then no server, then the right one.
    testbed.proxy.mode = { type: 'swallow' };
    testbed.proxy.cut();
    await sell();
    await sleep(1500);
    testbed.loseNetwork();
    await sleep(1500);
    testbed.findNetwork();
    await testbed.settle(tab, printed);
    const { operations } = await readTabletStorage(tab);
    const most = Math.max(...operations.map(({ attempts }) => attempts));
    check(most > 1, 'Nothing was sent twice.');
    await counter.status(/Online/, 30_000);
    return `up to ${most} attempts`;
  },
};
