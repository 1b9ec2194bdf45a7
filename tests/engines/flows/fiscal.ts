/** A clinic with VERI*FACTU: each document carries its code, and the agency has each record in the end. */
import { startFiscalClinic } from '#tests/support/fiscal-clinic.ts';
import { button, css, dialog, field } from '../drivers/elements.ts';
import type { Counter } from '../counter.ts';
import type { Tab } from '../drivers/tab.ts';
import { Testbed } from '../testbed.ts';
import { check } from './flow.ts';
import type { Flow } from './flow.ts';

/** Returns the error that the print window shows, if any. */
async function expectCode(window: Tab): Promise<void> {
  await window.shows(css('.paper-qr'));
  await window.reads(/VERI\*FACTU/);
  const sizeMm = await window.evaluate(
    () => (document.querySelector('.paper-qr')!.getBoundingClientRect().width / 96) * 25.4,
  );
  check(sizeMm >= 30 && sizeMm <= 60, `The code with its margin is ${sizeMm} mm wide.`);
}

/** Issues the invoice of a treatment that is not paid, and takes it back. Returns the numbers of both documents. */
async function invoiceAndCancel(counter: Counter): Promise<string[]> {
  const { tab } = counter;
  await tab.fill(css('input[type=search]'), '');
  await counter.openPayment('Dental check-up');
  const invoice = await counter.pay(() => tab.tap(button('Invoice now')));
  await expectCode(invoice.window);
  await counter.paper(invoice.number);
  await invoice.window.close();
  await tab.tap(button('Cancel Treatment'));
  const corrective = await counter.browser.opened(() =>
    tab.tap(button('Cancel Treatment', dialog('Cancel Treatment'))),
  );
  check(corrective !== null, 'The cancel opened no window.');
  const [number] = await corrective.reads(/\bR-[A-Z]+\d-\d{6}\b/);
  check((await corrective.text()).includes(invoice.number), 'The corrective invoice does not name the invoice.');
  await counter.paper(number);
  await corrective.close();
  return [invoice.number, number];
}

export const verifactu: Flow = {
  name: 'VERI*FACTU, invoice before payment, cancel',
  run: async ({ engine }) => {
    const fiscal = await startFiscalClinic();
    const testbed = await Testbed.create(engine, fiscal.clinic);
    try {
      const { tab, counter } = await testbed.signedIn('manager');
      const numbers: string[] = [];
      const sell = async (method: string) => {
        await counter.openPayment();
        await tab.tap(button(method));
        const { number, window } = await counter.pay();
        await expectCode(window);
        check((await counter.paper(number)).text.includes('VERI*FACTU'), 'The paper does not say VERI*FACTU.');
        await window.close();
        numbers.push(number);
      };
      await sell('Cash');
      testbed.loseNetwork();
      await sell('Card');
      // Above the limit the law wants a full invoice, with the recipient.
      await tab.fill(css('input[type=search]'), 'Ceramic crown');
      await counter.openPayment('Ceramic crown');
      await tab.tap(button('Card'));
      const asked = { role: 'dialog', name: 'Full invoice' } as const;
      const { number, window } = await counter.pay(async () => {
        await tab.tap(button('Process Payment'));
        const recipient = {
          Name: 'María del Carmen',
          NIF: '12345678Z',
          Address: 'Calle Mayor 1',
          'Postal code': '28013',
          City: 'Madrid',
        };
        for (const [label, value] of Object.entries(recipient)) await tab.fill(field(label, asked), value);
        await tab.tap(button('Full invoice', asked));
      });
      await expectCode(window);
      await counter.paper(number);
      await window.close();
      check(number.startsWith('F-'), `The full invoice has the number ${number}.`);
      numbers.push(number);
      testbed.findNetwork();
      numbers.push(...(await invoiceAndCancel(counter)));
      await testbed.settle(tab, []);
      await fiscal.expectAllAccepted(numbers);
      const errors = testbed.errors();
      check(errors.length === 0, errors.join('; '));
    } finally {
      await testbed.close();
      await fiscal.destroy();
    }
  },
};
