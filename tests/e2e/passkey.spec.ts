import type { Page } from '@playwright/test';
import type { ServerProcess } from '../support/server-process.ts';
import { invoiceNumber, ordersInvoiced, printedBy } from '../support/tablet.ts';
import type { Tablet } from '../support/tablet.ts';
import { expectAccessible } from './expect-accessible.ts';
import { expect, test } from './fixtures.ts';
import { lock, locked } from './pins.ts';

type NewTablet = (clinic: ServerProcess, address: string) => Promise<Tablet>;

/** Opens a tablet with an authenticator that its person carries. Browsers bind passkeys to a name, never to a number. */
async function tabletWithKey(clinic: ServerProcess, newTablet: NewTablet, hasPrf = true): Promise<Tablet> {
  const tablet = await newTablet(clinic, clinic.url.replace('127.0.0.1', 'localhost'));
  const { page } = tablet;
  const cdp = await page.context().newCDPSession(page);
  await cdp.send('WebAuthn.enable');
  await cdp.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      ctap2Version: 'ctap2_1',
      transport: 'usb',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      hasPrf,
      automaticPresenceSimulation: true,
    },
  });
  return tablet;
}

const section = (page: Page) => page.getByRole('region', { name: 'Passkey on this tablet' });

async function addPasskey(page: Page): Promise<void> {
  await page.goto('/profile');
  await section(page).getByLabel('Your password').fill('demo-manager');
  await section(page).getByRole('button', { name: 'Use a security key or phone' }).click();
}

test('a manager’s passkey unlocks the tablet with and without the server, and approves over a clerk’s screen', async ({
  newTablet,
  clinic,
}) => {
  const tablet = await tabletWithKey(clinic, newTablet);
  const { page } = tablet;
  await tablet.signIn('manager');
  await addPasskey(page);
  await expect(section(page).getByText('You have a passkey on this tablet.')).toBeVisible();

  const usePasskey = page.getByRole('button', { name: 'Unlock with passkey' });
  await lock(page);
  await usePasskey.click();
  await expect(locked(page)).toBeHidden();
  await tablet.openCounter();
  await tablet.loseNetwork();
  await lock(page);
  await page.reload();
  await usePasskey.click();
  await expect(tablet.service('Dental cleaning')).toBeVisible();
  await page.context().setOffline(false);

  // A clerk takes over, and may not refund alone.
  await lock(page);
  await page.getByRole('link', { name: 'Sign in as someone else' }).click();
  await tablet.submitSignIn(`counter@${clinic.emailDomain}`, 'demo-counter');
  await tablet.counterReady();
  const sale = await tablet.sellForCash();
  const invoice = await invoiceNumber(sale);
  await sale.close();
  await page.getByRole('button', { name: 'Recent sales', exact: true }).click();
  await page.getByRole('button', { name: `Refund ${invoice}` }).click();
  const dialog = page.getByRole('dialog', { name: 'Refund' });
  await dialog.getByRole('button', { name: 'Not satisfied' }).click();
  const creditNote = await printedBy(page, async () => {
    await dialog.getByRole('button', { name: 'Refund EUR 60,00' }).click();
    const approval = page.getByRole('dialog', { name: 'Manager approval' });
    await expect(approval.getByText('Passkey of Tomás Ibarra')).toBeVisible();
    await expectAccessible(page);
    await approval.getByRole('button', { name: 'Approve with passkey' }).click();
  });
  await creditNote.close();
  await expect
    .poll(async () => (await ordersInvoiced(clinic, invoice))[0]?.Payments.at(-1)?.amount, { timeout: 20_000 })
    .toBe(-60);
});

test('a passkey begins a new session at the lock when the last one has expired @long', async ({
  newTablet,
  clinic,
}) => {
  const tablet = await tabletWithKey(clinic, newTablet);
  const { page } = tablet;
  await page.clock.install();
  await tablet.signIn('manager');
  await addPasskey(page);
  await expect(section(page).getByText('You have a passkey on this tablet.')).toBeVisible();
  await lock(page);
  await page.clock.fastForward(9 * 3_600_000);
  const signedIn = page.waitForResponse((response) => response.url().endsWith('/api/users/login/passkey'));
  await page.getByRole('button', { name: 'Unlock with passkey' }).click();
  expect((await signedIn).status()).toBe(200);
  await expect(locked(page)).toBeHidden();
  await expect(page.getByRole('heading', { name: 'Profile' })).toBeVisible();
});

test('after a restart without a session the sign-in page takes the passkey, with and without the server @long', async ({
  newTablet,
  clinic,
}) => {
  const tablet = await tabletWithKey(clinic, newTablet);
  const { page } = tablet;
  const usePasskey = page.getByRole('button', { name: 'Sign in with passkey' });
  await page.goto('/login');
  await expect(page.getByLabel('Password', { exact: true })).toBeVisible();
  await expect(usePasskey).toHaveCount(0);
  await page.clock.install();
  await tablet.signIn('manager');
  await addPasskey(page);
  await expect(section(page).getByText('You have a passkey on this tablet.')).toBeVisible();

  // The session of a shift is over, and so is the tablet's night.
  await page.clock.fastForward(9 * 3_600_000);
  await page.reload();
  await expect(usePasskey).toBeVisible();
  await expectAccessible(page);
  const signedIn = page.waitForResponse((response) => response.url().endsWith('/api/users/login/passkey'));
  await usePasskey.click();
  expect((await signedIn).status()).toBe(200);
  await expect(page).not.toHaveURL(/login/);

  await tablet.loseNetwork();
  await page.clock.fastForward(9 * 3_600_000);
  await page.reload();
  await usePasskey.click();
  await expect(page).not.toHaveURL(/login/);
  await expect(tablet.service('Dental cleaning')).toBeVisible();
});

test('a passkey that derives no secrets is refused in words, and the PIN and the password stay @long', async ({
  newTablet,
  clinic,
}) => {
  const tablet = await tabletWithKey(clinic, newTablet, false);
  const { page } = tablet;
  await tablet.signIn('manager');
  await addPasskey(page);
  await expect(section(page).getByText(/^This passkey cannot unlock a tablet/)).toBeVisible();
  await expect(section(page).getByRole('button', { name: 'Remove passkey' })).toHaveCount(0);
  await lock(page);
  await expect(page.getByLabel('Password of Tomás Ibarra')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Unlock with passkey' })).toHaveCount(0);
});
