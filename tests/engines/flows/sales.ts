/** Sign-in, and sales that print. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Paper } from '../drivers/browser.ts';
import { button, css, field, link } from '../drivers/elements.ts';
import { keys } from '../drivers/tab.ts';
import { ordersInvoiced } from '#tests/support/tablet.ts';
import { check } from './flow.ts';
import type { Flow } from './flow.ts';

export const signIn: Flow = {
  name: 'sign-in',
  isSmoke: true,
  run: async (testbed) => {
    const { tab, counter } = await testbed.open();
    await counter.goto('/');
    await counter.submitSignIn('counter', 'not this one');
    await tab.reads(/Login Failed/);
    await counter.submitSignIn('counter');
    await counter.ready();
    await counter.status(/Online/);
    await tab.reload();
    await counter.ready();
    await tab.tap(button('Logout'));
    await tab.shows(css('input[type=email]'));
  },
};

const sizeOf = ({ widthMm, heightMm, pages }: Paper): string => `${widthMm} × ${heightMm} mm, ${pages} page`;

export const sale: Flow = {
  name: 'sale by cash and card, with print',
  isSmoke: true,
  run: async (testbed) => {
    const { tab, browser, counter } = await testbed.signedIn();
    const cash = await counter.sell();
    check(cash.paper.text.includes('EUR 60,00'), `The paper says: ${cash.paper.text}`);
    const card = await counter.sell({ method: 'Card' });

    // More cash than is due: the change shows after the print.
    await counter.openPayment();
    await tab.fill(field('Amount'), '100');
    const { number, window } = await counter.pay();
    const paper = await counter.paper(number);
    check(/Change\s+EUR 40,00/.test(paper.text), `The paper says: ${paper.text}`);
    await window.close();
    await tab.tap(button('Done'));

    await tab.tap(button('Recent sales'));
    const copy = await browser.opened(() => tab.tap(button(`Reprint ${card.invoice}`)));
    check(copy !== null, 'The reprint opened no window.');
    const reprinted = await counter.paper(card.invoice);
    check(/C ?O ?P ?Y/.test(reprinted.text), `The second paper is no copy: ${reprinted.text}`);
    await copy.close();
    await tab.type(keys.escape);

    await testbed.settle(tab, [cash.invoice, card.invoice, number]);
    const methodOf = async (invoice: string) =>
      (await ordersInvoiced(testbed.clinic, invoice)).flatMap(({ Payments }) => Payments.map((each) => each.method));
    check((await methodOf(cash.invoice)).join() === 'cash', 'The server has another payment than cash.');
    check((await methodOf(card.invoice)).join() === 'card', 'The server has another payment than card.');
    await counter.status(/Online/);
    check(!(await tab.has(link(/^Needs attention/))), 'Something needs attention.');
    return `paper ${sizeOf(cash.paper)}`;
  },
};

/**
 * Firefox handles other events while it opens a window and while it prints, and what the page reads meanwhile ends early.
 * Other tablets' work makes every list of the page read again and again.
 */
export const saleBesideOthers: Flow = {
  name: 'sales while other tablets sell',
  run: async (testbed) => {
    const { tab, counter } = await testbed.signedIn();
    const { clinic } = testbed;
    const { stocks } = await clinic.api<{ stocks: { id: number; name: string }[] }>('/stock?search=Dental%20check-up');
    const items = [{ stock_id: stocks[0]!.id, quantity: 1 }];
    let isOver = false;
    const ordering = (async () => {
      for (; !isOver; await sleep(20)) await clinic.api('/orders', { order_type: 'walk_in', items });
    })();
    const printed: string[] = [];
    try {
      for (let sales = 0; sales < 5; sales++) {
        printed.push((await counter.sell()).invoice);
        await tab.tap(button('Recent sales'));
        const copy = await counter.browser.opened(() => tab.tap(button(`Reprint ${printed.at(-1)}`)));
        check(copy !== null, 'The reprint opened no window.');
        await counter.paper(printed.at(-1)!);
        await copy.close();
        await tab.type(keys.escape);
      }
    } finally {
      isOver = true;
      await ordering;
    }
    await testbed.settle(tab, printed);
  },
};
