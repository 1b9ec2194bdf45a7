/** The cash drawer, and money that goes back. */
import { closeDrawers } from '#tests/e2e/drawers.ts';
import { pins } from '#tests/e2e/pins.ts';
import { ordersInvoiced } from '#tests/support/tablet.ts';
import { button, dialog, field, link } from '../drivers/elements.ts';
import { check } from './flow.ts';
import type { Flow } from './flow.ts';
import { lock, setPin, tapPin } from './tabs.ts';

export const drawer: Flow = {
  name: 'drawer: open, sell, close, Z',
  run: async (testbed) => {
    await closeDrawers(testbed.clinic);
    const { browser, tab, counter } = await testbed.signedIn();
    await tab.tap(link('Cash drawer'));
    await tab.fill(field('Float'), '100');
    await tab.tap(button('Open drawer'));
    await tab.reads(/Open since|On this device/);
    await tab.tap(link('Counter/Checkout'));
    await counter.ready();
    const { invoice } = await counter.sell();
    await tab.tap(link('Cash drawer'));
    await tab.tap(button('Put money in'));
    const movement = dialog('Put money in');
    await tab.fill(field('Amount', movement), '12.5');
    await tab.fill(field('Reason', movement), 'Coins from the bank');
    await tab.tap(button('Put money in', movement));
    await tab.tap(button('Close drawer'));
    await tab.fill(field('Cash'), '172.5');
    await tab.tap(button('Compare'));
    const report = await browser.opened(() => tab.tap(button('Close and print')));
    check(report !== null, 'The report opened no window.');
    const { text } = await counter.paper('Z report');
    for (const part of ['172,50', 'Coins from the bank'])
      check(text.includes(part), `The Z report lacks ${part}: ${text}`);
    await report.close();
    await tab.tap(button('Done'));
    // The report is a document of the tablet too, which the server makes anew, so only the sale is compared.
    await testbed.settle(tab, []);
    check((await ordersInvoiced(testbed.clinic, invoice)).length === 1, 'The server does not have the sale.');
    const [last] = await testbed.clinic.query<{ isClosed: boolean }>(
      `select closed_at is not null as "isClosed" from drawers order by opened_at desc limit 1`,
    );
    check(last!.isClosed, 'The drawer is not closed on the server.');
  },
};

export const refund: Flow = {
  name: 'refund with a manager’s approval',
  isSmoke: true,
  run: async (testbed) => {
    const { browser, tab, counter } = await testbed.signedIn('manager');
    await setPin(counter, 'manager');
    await lock(tab);
    await tab.tap(link('Sign in as someone else'));
    await counter.submitSignIn('counter');
    await counter.ready();
    const { invoice } = await counter.sell();
    await tab.tap(button('Recent sales'));
    await tab.tap(button(`Refund ${invoice}`));
    const refundDialog = dialog('Refund');
    await tab.fill(field('Reason', refundDialog), 'Not satisfied');
    const creditNote = await browser.opened(async () => {
      await tab.tap(button('Refund EUR 60,00', refundDialog));
      const approval = dialog('Manager approval');
      await tab.shows(approval);
      await tapPin(tab, pins.manager);
      await tab.hides(approval);
    });
    // The approval may take longer than a tap lasts. Then the page itself prints.
    const { text } = await counter.paper('Credit note');
    for (const part of [invoice, 'Not satisfied', 'EUR 60,00'])
      check(text.includes(part), `The credit note lacks ${part}: ${text}`);
    await creditNote?.close();
    await tab.until('the server has the refund', async () => {
      const [order] = await ordersInvoiced(testbed.clinic, invoice);
      return order?.Payments.at(-1)?.amount === -60;
    });
    await counter.status(/Online/);
  },
};
