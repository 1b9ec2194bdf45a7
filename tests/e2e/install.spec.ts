/** Safari has no install prompt and gives the installed app storage of its own: what a tab is told, and how its work gets across. */
import { readFile } from 'node:fs/promises';
import { ordersInvoiced } from '../support/tablet.ts';
import { expect, test } from './fixtures.ts';

test.use({ actionTimeout: 20_000 });

/** Makes the page believe that it is Safari on an iPad, in a tab or on the home screen. */
function playIpad(standalone: boolean): void {
  const claim = (name: string, value: unknown) =>
    Object.defineProperty(Navigator.prototype, name, { configurable: true, get: () => value });
  claim(
    'userAgent',
    'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 Version/17.4 Safari/605.1.15',
  );
  claim('vendor', 'Apple Computer, Inc.');
  claim('maxTouchPoints', 5);
  claim('standalone', standalone);
}

const passphrase = 'from the tab to the app';

test('a tab of Safari says how to install and offers its unsent work, which the installed app asks for and sends once', async ({
  newTablet,
  clinic,
}) => {
  const tab = await newTablet();
  await tab.context.addInitScript(playIpad, false);
  await tab.signIn();
  const hint = tab.page.getByRole('status').filter({ hasText: 'Install Dental Counter on this device' });
  await expect(hint).toContainText('after seven days');
  await expect(hint).toContainText('Add to Home Screen');
  await expect(hint.getByRole('link', { name: 'Save rescue file' })).toBeHidden();

  await tab.loseNetwork();
  const invoice = await tab.sellForCash();
  const number = (await invoice.getByText(/^INV-/).textContent())!.trim();
  await invoice.close();
  await expect(hint).toContainText('not sent yet');
  await hint.getByRole('link', { name: 'Save rescue file' }).click();
  const save = tab.page.getByRole('dialog', { name: 'Rescue file' });
  await save.getByLabel('Passphrase', { exact: true }).fill(passphrase);
  await save.getByLabel('Repeat the passphrase').fill(passphrase);
  const [download] = await Promise.all([
    tab.page.waitForEvent('download'),
    save.getByRole('button', { name: 'Save rescue file' }).click(),
  ]);
  await hint.getByRole('button', { name: 'Dismiss' }).click();
  await tab.openCounter();
  await expect(hint).toBeHidden();

  const app = await newTablet();
  await app.context.addInitScript(playIpad, true);
  await app.signIn();
  const question = app.page.getByRole('status').filter({ hasText: 'Did you work in a Safari tab before?' });
  await question.getByRole('link', { name: 'Take over a rescue file' }).click();
  const take = app.page.getByRole('dialog', { name: 'Rescue file' });
  await take.getByLabel('Choose a rescue file').setInputFiles({
    name: 'rescue.dcrescue',
    mimeType: 'application/octet-stream',
    buffer: await readFile(await download.path()),
  });
  await take.getByLabel('Passphrase', { exact: true }).fill(passphrase);
  await take.getByRole('button', { name: 'Open the file' }).click();
  await take.getByRole('button', { name: 'Send to the server' }).click();
  await expect(take.getByText('Everything in the file has been sent')).toBeVisible();
  expect(await ordersInvoiced(clinic, number)).toMatchObject([{ paid: 60, status: 'completed' }]);
  await app.openCounter();
  await expect(question).toBeHidden();
});

test('another browser than Safari shows neither the instructions nor the question @long', async ({ tabletOf }) => {
  const tablet = await tabletOf('counter');
  await tablet.openCounter();
  await expect(tablet.page.getByText('Add to Home Screen')).toBeHidden();
  await expect(tablet.page.getByText('Did you work in a Safari tab before?')).toBeHidden();
});
