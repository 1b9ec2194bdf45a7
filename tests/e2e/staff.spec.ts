import type { Page } from '@playwright/test';
import type { ServerProcess } from '../support/server-process.ts';
import { invoiceNumber, printedBy, processPayment } from '../support/tablet.ts';
import { expect, test } from './fixtures.ts';

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

test.describe('signing in', () => {
  test('a wrong password shows an error, and the form keeps the email address', async ({ tablet }) => {
    const { page } = tablet;
    await page.goto('/login');
    await page.getByLabel('Email', { exact: true }).fill('counter@demo.test');
    await page.getByLabel('Password', { exact: true }).fill('wrong-one');
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    const box = page.getByRole('alert').filter({ hasText: 'Login Failed' });
    await expect(box).toContainText('Invalid credentials. Please check your email and password.');
    await expect(page.getByLabel('Email', { exact: true })).toHaveValue('counter@demo.test');
  });

  test('an empty form sends no request', async ({ tablet }) => {
    const { page } = tablet;
    await page.goto('/login');
    const calls: string[] = [];
    page.on('request', (request) => calls.push(request.url()));
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await expect(page.getByText('Email and password are required')).toBeVisible();
    expect(calls.filter((url) => url.includes('/users/login'))).toEqual([]);
  });

  for (const role of ['admin', 'manager', 'counter'] as const) {
    test(`the demo button fills in the ${role} account`, async ({ tablet }) => {
      const { page } = tablet;
      await page.goto('/login');
      await page.getByRole('button', { name: new RegExp(role, 'i') }).click();
      await expect(page.getByLabel('Email', { exact: true })).toHaveValue(`${role}@demo.test`);
      await page.getByRole('button', { name: 'Sign in', exact: true }).click();
      await tablet.counterReady();
      expect(new URL(page.url()).pathname).toMatch(role === 'admin' ? /^\/admin\// : /^\/(counter)?$/);
    });
  }

  test('the demo button of the assistant fills in the account that opens the board', async ({ tablet }) => {
    const { page } = tablet;
    await page.goto('/login');
    await page.getByRole('button', { name: 'Assistant' }).click();
    await expect(page.getByLabel('Email', { exact: true })).toHaveValue('assistant@demo.test');
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await expect(page.getByRole('link', { name: 'Preparation' }).first()).toBeVisible();
  });

  test('the password can be shown and hidden', async ({ tablet }) => {
    const { page } = tablet;
    await page.goto('/login');
    const password = page.getByLabel('Password', { exact: true });
    await expect(password).toHaveAttribute('type', 'password');
    await page.getByRole('button', { name: 'Show password' }).click();
    await expect(password).toHaveAttribute('type', 'text');
  });

  test('a counter clerk is redirected from the admin area', async ({ tablet }) => {
    await tablet.signIn('counter');
    await tablet.page.goto('/admin/counter');
    await expect(tablet.page.getByText("You don't have admin privileges.")).toBeVisible();
  });
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

test.describe('the counter by scanner, keyboard and touch', () => {
  test('a scanner adds its service wherever the focus is', async ({ tablet, clinic }) => {
    const { page } = tablet;
    await tablet.signIn();
    const item = await scannable(clinic);
    await press(page, scanOf(item.barcode));
    await expect(page.getByRole('button', { name: `Remove ${item.name}` }).last()).toBeVisible();
    await press(page, scanOf('0000000'));
    await expect(page.getByText('No service has the barcode 0000000.')).toBeVisible();
  });

  test('a sale works by keyboard from the search to the printed invoice', async ({ tablet }) => {
    const { page } = tablet;
    await tablet.signIn();
    await page.keyboard.press('/');
    await page.keyboard.type('dental cl', { delay: 60 });
    await page.keyboard.press('Enter');
    await expect(page.getByRole('button', { name: 'Remove Dental cleaning' }).last()).toBeVisible();
    await page.keyboard.press('Control+Enter');
    await expect(page.getByRole('button', { name: 'Process Payment' })).toBeVisible();
    const invoice = await printedBy(page, () => page.keyboard.press('Enter'));
    expect(await invoiceNumber(invoice)).toMatch(/^INV-/);
  });

  test('the amount has the focus as soon as it shows', async ({ tablet }) => {
    const { page } = tablet;
    await tablet.signIn();
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

  test('Ctrl+Enter includes the service that Enter has just added', async ({ tablet }) => {
    const { page } = tablet;
    await tablet.signIn();
    await page.keyboard.press('/');
    await page.keyboard.type('dental cl', { delay: 60 });
    await press(page, [enter, controlEnter]);
    await expect(page.getByRole('button', { name: 'Process Payment' })).toBeVisible();
  });

  test('Ctrl+Enter includes the service that was just scanned', async ({ tablet, clinic }) => {
    const { page } = tablet;
    await tablet.signIn();
    await press(page, [...scanOf((await scannable(clinic)).barcode), controlEnter]);
    await expect(page.getByRole('button', { name: 'Process Payment' })).toBeVisible();
  });

  test('Undo restores a removed line', async ({ tablet }) => {
    const { page } = tablet;
    await tablet.signIn();
    await tablet.service('Dental cleaning').click();
    await page.getByRole('button', { name: 'Remove Dental cleaning' }).last().click();
    await expect(page.getByRole('button', { name: 'Remove Dental cleaning' })).toHaveCount(0);
    await page.getByRole('button', { name: 'Undo' }).click();
    await expect(page.getByRole('button', { name: 'Remove Dental cleaning' }).last()).toBeVisible();
  });

  test('a payment of 0 is refused, and the treatment stays open', async ({ tablet }) => {
    const { page } = tablet;
    await tablet.signIn();
    await tablet.service('Dental cleaning').click();
    await page.getByRole('button', { name: 'Create and take payment' }).click();
    for (const amount of ['', '-5', '0']) {
      await page.getByLabel('Amount', { exact: true }).fill(amount);
      await page.getByRole('button', { name: 'Process Payment' }).click();
      await expect(page.getByText(/Enter the amount|must be greater than 0/i).first()).toBeVisible();
    }
    await expect(page.getByRole('button', { name: 'Process Payment' })).toBeVisible();
  });

  test('the plan opens from a floating button on a phone', async ({ tablet }) => {
    const { page } = tablet;
    await page.setViewportSize({ width: 390, height: 844 });
    await tablet.signIn();
    await tablet.service('3D scan').click();
    await page.getByRole('button', { name: /Open the treatment plan/ }).click();
    await page.getByRole('button', { name: 'Create and take payment' }).click();
    const invoice = await processPayment(page);
    expect(await invoiceNumber(invoice)).toMatch(/^INV-/);
  });
});
