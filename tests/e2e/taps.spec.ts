/** The work of the hand in the flows that a clinic repeats all day. */
import { processPayment } from '../support/tablet.ts';
import { expect, test } from './fixtures.ts';
import { countTaps } from './taps.ts';

test('an exact cash sale of one service takes three taps', async ({ tablet }) => {
  await tablet.signIn();
  const effort = await countTaps(tablet.page, async () => {
    await tablet.service('Dental cleaning').click();
    await tablet.page.getByRole('button', { name: 'Create and take payment' }).click();
    await processPayment(tablet.page);
  });
  expect(effort).toEqual({ taps: 3, keys: 0 });
});
