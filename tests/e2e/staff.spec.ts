import type { Page } from '@playwright/test';
import type { ServerProcess } from '../support/server-process.ts';
import { invoiceNumber, printedBy, processPayment } from '../support/tablet.ts';
import { expect, test } from './desk.ts';

test.describe('the Spanish counter', () => {
  test.use({ locale: 'es-ES' });

  test('the app sells in Spanish in a Spanish browser', async ({ tablet }) => {
    const { page } = tablet;
    await page.goto('/login');
    await expect(page.locator('html')).toHaveAttribute('lang', 'es-ES');
    await tablet.submitSignIn('counter@demo.test', 'demo-counter');
    const tile = page.locator('[data-tile]').first();
    await expect(tile).toBeVisible({ timeout: 20_000 });
    await expect(tile).toHaveAccessibleName(/^Añadir /);
    await tile.click();
    await page.getByRole('button', { name: /Crear y cobrar/ }).click();
    const invoice = await printedBy(page, () => page.getByRole('button', { name: /^(Cobrar|Procesar pago)/ }).click());
    expect(await invoiceNumber(invoice)).toMatch(/^INV-/);
    await expect(invoice.getByText('Factura simplificada')).toBeVisible();
    await expect(invoice.locator('html')).toHaveAttribute('lang', 'es-ES');
    expect(await page.evaluate(() => localStorage.getItem('i18nextLng'))).toBe('sp');
  });
});

test('the sign-in form refuses nothing typed and a wrong password, keeps the email address, and shows the password', async ({
  tablet,
}) => {
  const { page } = tablet;
  await page.goto('/login');
  const calls: string[] = [];
  page.on('request', (request) => calls.push(request.url()));
  const signIn = page.getByRole('button', { name: 'Sign in', exact: true });
  const email = page.getByLabel('Email', { exact: true });
  const password = page.getByLabel('Password', { exact: true });
  await signIn.click();
  await expect(page.getByText('Email and password are required')).toBeVisible();
  expect(calls.filter((url) => url.includes('/users/login'))).toEqual([]);

  await email.fill('counter@demo.test');
  await password.fill('wrong-one');
  await expect(password).toHaveAttribute('type', 'password');
  await page.getByRole('button', { name: 'Show password' }).click();
  await expect(page.getByLabel('Password', { exact: true })).toHaveAttribute('type', 'text');
  await signIn.click();
  const box = page.getByRole('alert').filter({ hasText: 'Login Failed' });
  await expect(box).toContainText('Invalid credentials. Please check your email and password.');
  await expect(email).toHaveValue('counter@demo.test');
});

test('the demo button of each role fills in an account, which starts where its work is @long', async ({ tablet }) => {
  const { page, context } = tablet;
  for (const [role, start] of Object.entries({
    admin: /^\/admin\//,
    manager: /^\/(counter)?$/,
    counter: /^\/(counter)?$/,
    assistant: /^\/(kitchen)?$/,
  })) {
    await test.step(role, async () => {
      await context.clearCookies();
      await page.goto('/login');
      await page.getByRole('button', { name: new RegExp(role, 'i') }).click();
      await expect(page.getByLabel('Email', { exact: true })).toHaveValue(`${role}@demo.test`);
      await page.getByRole('button', { name: 'Sign in', exact: true }).click();
      if (role === 'assistant') await expect(page.getByRole('link', { name: 'Preparation' }).first()).toBeVisible();
      else await tablet.counterReady();
      expect(new URL(page.url()).pathname).toMatch(start);
    });
  }
});

test('a counter clerk is redirected from the admin area, and finds no stock and no expenses @long', async ({
  desk,
}) => {
  const { page } = await desk('counter', '/admin/counter');
  await expect(page.getByText("You don't have admin privileges.")).toBeVisible();
  for (const address of ['/stock?tab=inventory', '/expenses']) {
    await page.goto(address);
    await expect(page).toHaveURL('/');
    await expect(page.locator('[data-tile]').first()).toBeVisible();
    for (const section of ['Stock', 'Expenses']) await expect(page.getByText(section, { exact: true })).toHaveCount(0);
  }
});

/** Sends the keys from within the page. Keys sent one by one from the test are slower than a scanner on a busy machine. */
const press = (page: Page, keys: { key: string; ctrlKey?: boolean }[]) =>
  page.evaluate((inits) => {
    for (const init of inits)
      document.activeElement!.dispatchEvent(new KeyboardEvent('keydown', { ...init, bubbles: true, cancelable: true }));
  }, keys);
const enter = { key: 'Enter' };
const controlEnter = { key: 'Enter', ctrlKey: true };
const scanOf = (code: string) => [...code.split('').map((key) => ({ key })), enter];

async function scannable(clinic: ServerProcess): Promise<{ name: string; barcode: string }> {
  const { stocks } = await clinic.api<{ stocks: { name: string; barcode: string | null; is_available: boolean }[] }>(
    '/stock',
  );
  const { name, barcode } = stocks.find((item) => item.barcode && item.is_available)!;
  return { name, barcode: barcode! };
}

test('the counter works by scanner, by keyboard and by touch', async ({ desk, clinic }) => {
  const tablet = await desk('counter', '/');
  const { page } = tablet;
  await tablet.counterReady();
  const item = await scannable(clinic);
  const planned = (name: string) =>
    page.getByRole('list', { name: 'Treatment plan' }).getByRole('button', { name, exact: false, expanded: false });
  const removal = (name: string) => page.getByRole('button', { name: `Remove ${name}` }).last();
  const takesPayment = page.getByRole('button', { name: 'Process Payment' });

  await test.step('a scanner adds its service wherever the focus is', async () => {
    await press(page, scanOf(item.barcode));
    await expect(planned(item.name)).toBeVisible();
    await press(page, scanOf('0000000'));
    await expect(page.getByText('No service has the barcode 0000000.')).toBeVisible();
  });

  await test.step('Undo restores a removed line', async () => {
    await planned(item.name).click();
    await removal(item.name).click();
    await expect(removal(item.name)).toHaveCount(0);
    await page.getByRole('button', { name: 'Undo' }).click();
    await removal(item.name).click();
  });

  await test.step('a sale works by keyboard from the search to the printed invoice', async () => {
    await page.keyboard.press('/');
    await page.keyboard.type('dental cl', { delay: 60 });
    await page.keyboard.press('Enter');
    await expect(planned('Dental cleaning')).toBeVisible();
    await page.keyboard.press('Control+Enter');
    await expect(takesPayment).toBeVisible();
    const invoice = await printedBy(page, () => page.keyboard.press('Enter'));
    expect(await invoiceNumber(invoice)).toMatch(/^INV-/);
    await invoice.close();
  });

  await test.step('the amount has the focus as soon as it shows', async () => {
    await tablet.openCounter();
    await tablet.service('Dental cleaning').click();
    const shown = await page.evaluateHandle(() => ({
      isFocused: new Promise<boolean>((resolve) => {
        new MutationObserver(() => {
          const amount = document.querySelector('form input[inputmode=none]');
          if (amount) resolve(document.activeElement === amount);
        }).observe(document.body, { childList: true, subtree: true });
      }),
    }));
    await page.keyboard.press('Control+Enter');
    expect(await shown.evaluate(({ isFocused }) => isFocused)).toBe(true);
  });

  await test.step('a payment of 0 is refused, and the treatment stays open', async () => {
    for (const amount of ['', '-5', '0']) {
      await page.getByLabel('Amount', { exact: true }).fill(amount);
      await takesPayment.click();
      await expect(page.getByText(/Enter the amount|must be greater than 0/i).first()).toBeVisible();
    }
    await expect(takesPayment).toBeVisible();
    await page.getByLabel('Amount', { exact: true }).fill('60');
    await (await processPayment(page)).close();
  });

  await test.step('Ctrl+Enter includes the service that Enter has just added', async () => {
    await tablet.openCounter();
    await page.keyboard.press('/');
    await page.keyboard.type('dental cl', { delay: 60 });
    await press(page, [enter, controlEnter]);
    await (await processPayment(page)).close();
  });

  await test.step('Ctrl+Enter includes the service that was just scanned', async () => {
    await tablet.openCounter();
    await press(page, [...scanOf(item.barcode), controlEnter]);
    await (await processPayment(page)).close();
  });

  await test.step('the plan opens from a floating button on a phone', async () => {
    await page.setViewportSize({ width: 390, height: 844 });
    await tablet.openCounter();
    await tablet.service('3D scan').click();
    await page.getByRole('button', { name: /Open the treatment plan/ }).click();
    await page.getByRole('button', { name: 'Create and take payment' }).click();
    const invoice = await processPayment(page);
    expect(await invoiceNumber(invoice)).toMatch(/^INV-/);
  });
});
