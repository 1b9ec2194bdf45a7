/** A patient's page: a new patient, a correction of the details, and an invoice that takes its recipient from there. */
import { startFiscalClinic } from '#tests/support/fiscal-clinic.ts';
import { button, dialog, field, heading } from '../drivers/elements.ts';
import type { Target } from '../drivers/elements.ts';
import type { Tab } from '../drivers/tab.ts';
import { Testbed } from '../testbed.ts';
import { check } from './flow.ts';
import type { Flow } from './flow.ts';

const name = 'Zoé Núñez Page';

async function fillIn(tab: Tab, form: Target, fields: Record<string, string>): Promise<void> {
  for (const [label, text] of Object.entries(fields)) await tab.fill(field(label, form), text);
  await tab.tap(button('Save', form));
  await tab.hides(form);
}

export const patients: Flow = {
  name: 'patients: new, corrected, on a full invoice',
  run: async ({ engine }) => {
    const fiscal = await startFiscalClinic({ isOn: false });
    const testbed = await Testbed.create(engine, fiscal.clinic);
    try {
      const { tab, counter } = await testbed.signedIn('manager');
      await counter.goto('/patients');
      await tab.tap(button('New patient'));
      await fillIn(tab, dialog('New patient'), {
        Name: name,
        'Phone number': '655 81 90 27',
        'E-mail': 'zoe@example.com',
        NIF: '12345678Z',
        Address: 'Calle Sol 2',
        'Postal code': '28013',
        City: 'Madrid',
      });
      await tab.shows(heading(name));
      await tab.reads(/12345678Z/);
      // What is corrected without a network counts at once.
      testbed.loseNetwork();
      await tab.tap(button('Edit'));
      await fillIn(tab, dialog('Edit patient'), { Address: 'Calle Nueva 9' });
      await tab.reads(/Calle Nueva 9/);
      await tab.tap(button('New treatment'));
      await tab.shows(button(new RegExp(`^Treatments of ${name}`)));
      await counter.openPayment();
      await tab.tap(button('Card'));
      await tab.tap(button('Full invoice'));
      const asked = dialog('Full invoice');
      await tab.shows(field('NIF', asked));
      check((await tab.value(field('NIF', asked))) === '12345678Z', 'The invoice does not know the NIF.');
      await tab.tap(button('Full invoice', asked));
      await tab.shows(button(`Full invoice to ${name}`));
      const { number, window } = await counter.pay();
      const { text } = await counter.paper(number);
      for (const part of [name, '12345678Z', 'Calle Nueva 9, 28013 Madrid'])
        check(text.replaceAll(/\s+/g, ' ').includes(part), `The invoice lacks ${part}: ${text}`);
      await window.close();
      check(number.startsWith('F-'), `The full invoice has the number ${number}.`);
      testbed.findNetwork();
      await testbed.settle(tab, []);
      const { data } = await fiscal.clinic.api<{ data: { recipient: { address: string } | null }[] }>(
        `/patients?search=${encodeURIComponent(name)}`,
      );
      check(data.length === 1, `The server has ${data.length} patients of this name.`);
      check(data[0]!.recipient?.address === 'Calle Nueva 9', 'The server does not have the correction.');
      const errors = testbed.errors();
      check(errors.length === 0, errors.join('; '));
    } finally {
      await testbed.close();
      await fiscal.destroy();
    }
  },
};
