import { draftSavedMs } from '../support/tablet.ts';
import type { Tablet } from '../support/tablet.ts';
import { expect, test } from './fixtures.ts';

const translations = {
  en: {
    locale: 'en-GB',
    add: 'Add staff',
    create: 'Create user',
    name: 'Name',
    email: 'Email',
    password: 'Password',
    problems: ['Name must be at least 3 characters', 'Invalid email format', 'Password must be at least 6 characters'],
    taken: 'Someone else has this email',
  },
  sp: {
    locale: 'es-ES',
    add: 'Añadir personal',
    create: 'Crear usuario',
    name: 'Nombre',
    email: 'Correo',
    password: 'Contraseña',
    problems: [
      'El nombre debe tener al menos 3 caracteres',
      'El formato del correo no es válido',
      'La contraseña debe tener al menos 6 caracteres',
    ],
    taken: 'Otra persona ya tiene este correo',
  },
} as const;

let serial = 0;
const newEmail = () => `person${Date.now()}${++serial}@clinic.test`;

async function openStaff({ page }: Tablet, path = '/admin/staff'): Promise<void> {
  await page.goto(path);
  await expect(page.getByRole('table').getByText('admin@demo.test').first()).toBeVisible();
}

async function signInAs(tablet: Tablet, email: string, password: string): Promise<void> {
  await tablet.page.goto('/login');
  await tablet.submitSignIn(email, password);
}

for (const [language, texts] of Object.entries(translations)) {
  test.describe(`the staff section in ${language}`, () => {
    test.use({ locale: texts.locale });

    test('the form names the problem of each field and keeps its values after a reload, except the password', async ({
      tablet,
    }) => {
      const { page } = tablet;
      await signInAs(tablet, 'admin@demo.test', 'demo-admin');
      await tablet.counterReady();
      await openStaff(tablet);
      await page.getByRole('button', { name: texts.add }).first().click();
      await page.getByLabel(texts.name, { exact: true }).fill('Al');
      await page.getByLabel(texts.email, { exact: true }).fill('nobody');
      await page.getByLabel(texts.password, { exact: true }).fill('12345');
      await page.getByRole('button', { name: texts.create, exact: true }).click();
      for (const problem of texts.problems) await expect(page.getByText(problem)).toBeVisible();

      await page.getByLabel(texts.name, { exact: true }).fill('Alba Torres');
      await page.getByLabel(texts.email, { exact: true }).fill('counter@demo.test');
      await page.getByLabel(texts.password, { exact: true }).fill('sol y sombra');
      await page.getByRole('button', { name: texts.create, exact: true }).click();
      await expect(page.getByText(texts.taken)).toBeVisible();
      await expect(page.getByLabel(texts.name, { exact: true })).toHaveValue('Alba Torres');

      await page.waitForTimeout(draftSavedMs);
      await page.reload();
      await page.getByRole('button', { name: texts.add }).first().click();
      await expect(page.getByLabel(texts.name, { exact: true })).toHaveValue('Alba Torres');
      await expect(page.getByLabel(texts.password, { exact: true })).toHaveValue('');
      const stored = await page.evaluate(
        () =>
          new Promise<string>((resolve) => {
            indexedDB.open('dental-counter').onsuccess = ({ target }) => {
              const all = (target as IDBOpenDBRequest).result.transaction('drafts').objectStore('drafts').getAll();
              all.onsuccess = () => resolve(JSON.stringify(all.result));
            };
          }),
      );
      expect(stored).toContain('staff:new');
      expect(stored).not.toMatch(/Alba Torres|sombra/);
    });
  });
}

test('a new user can sign in, is found by search, and is signed out when deactivated', async ({
  tablet,
  newTablet,
}) => {
  const { page } = tablet;
  const email = newEmail();
  await tablet.signIn('admin');
  await openStaff(tablet);
  await page.getByRole('button', { name: 'Add staff' }).first().click();
  await page.getByLabel('Name', { exact: true }).fill('Íñigo Ñúñez');
  await page.getByLabel('Email', { exact: true }).fill(email);
  await page.getByLabel('Password', { exact: true }).fill('sol y sombra');
  await page.getByRole('button', { name: 'Create user', exact: true }).click();
  await expect(page.getByText('Íñigo Ñúñez was added')).toBeVisible();

  const other = await newTablet();
  await signInAs(other, email, 'sol y sombra');
  await expect(other.page.locator('[data-tile]').first()).toBeVisible({ timeout: 20_000 });

  await page.getByLabel('Search by name or email').fill('inigo');
  const row = page.getByRole('row').filter({ hasText: email });
  await expect(row).toBeVisible();
  await expect(page.getByRole('row')).toHaveCount(2);
  await row.getByRole('button', { name: 'Edit' }).click();
  await page.getByLabel('Status').selectOption('inactive');
  await page.getByRole('button', { name: 'Update user', exact: true }).click();
  await expect(page.getByText('Íñigo Ñúñez was updated')).toBeVisible();

  // The counter keeps selling and asks to sign in. A page that calls the server redirects to the sign-in page.
  await other.page.reload();
  await expect(other.pill).toContainText('Sign in', { timeout: 20_000 });
  await other.page.goto('/profile');
  await other.page.getByLabel('Name', { exact: true }).fill('Somebody Else');
  await other.page.getByRole('button', { name: 'Save' }).click();
  await expect(other.page).toHaveURL(/\/login/);

  await page.getByLabel('Search by name or email').fill('inigo');
  await page.getByRole('row').filter({ hasText: email }).getByRole('button', { name: 'Delete' }).click();
  const asked = page.getByRole('dialog', { name: 'Delete user?' });
  await expect(asked).toContainText(`Íñigo Ñúñez (${email})`);
  await asked.getByRole('button', { name: 'Delete' }).click();
  await expect(page.getByText('Íñigo Ñúñez was deleted')).toBeVisible();
  await expect(page.getByText('No one found')).toBeVisible();
});

test('a manager can edit the staff, but no administrator', async ({ tablet }) => {
  const { page } = tablet;
  await tablet.signIn('manager');
  await openStaff(tablet, '/staff');
  await expect(page.getByRole('row').filter({ hasText: 'admin@demo.test' }).getByRole('button')).toHaveCount(0);
  await expect(
    page.getByRole('row').filter({ hasText: 'counter@demo.test' }).getByRole('button', { name: 'Edit' }),
  ).toBeVisible();
  await page.getByRole('button', { name: 'Add staff' }).first().click();
  await expect(page.getByLabel('Role').locator('option')).toHaveText(['Manager', 'Counter', 'Clinician', 'Assistant']);
});

test('the list shows its last data and their time while the server is unreachable', async ({ tablet }) => {
  const { page, context } = tablet;
  await tablet.signIn('manager');
  await openStaff(tablet, '/staff');
  await context.setOffline(true);
  await page.reload();
  await expect(page.getByText('The server cannot be reached')).toBeVisible({ timeout: 20_000 });
  await expect(page.getByRole('table').getByText('admin@demo.test').first()).toBeVisible();
});

test('a password change requires the present password', async ({ tablet, clinic }) => {
  const { page } = tablet;
  const email = newEmail();
  await clinic.api('/users', { name: 'Rosa Vidal', email, password: 'sol y sombra', role: 'counter' });
  await signInAs(tablet, email, 'sol y sombra');
  await expect(page.locator('[data-tile]').first()).toBeVisible({ timeout: 20_000 });
  await page.getByRole('button', { name: /Account of Rosa/ }).click();
  await page.getByRole('link', { name: 'Profile' }).click();
  await page.getByLabel('Current password').fill('not it');
  await page.getByLabel('New password').fill('123');
  await page.getByRole('button', { name: 'Change password' }).click();
  await expect(page.getByText('Password must be at least 6 characters')).toBeVisible();
  await page.getByLabel('New password').fill('luna y mar');
  await page.getByRole('button', { name: 'Change password' }).click();
  await expect(page.getByText('Wrong current password')).toBeVisible();
  await page.getByLabel('Current password').fill('sol y sombra');
  await page.getByRole('button', { name: 'Change password' }).click();
  await expect(page.getByText('Your password was changed')).toBeVisible();
});

test('saved settings appear on the invoice of another tablet', async ({ newTablet }) => {
  const [desk, counter] = [await newTablet(), await newTablet()];
  await counter.signIn('counter');
  const { page } = desk;
  await desk.signIn('admin');
  await page.getByRole('button', { name: /Account of/ }).click();
  await page.getByRole('link', { name: 'Settings' }).click();
  await page.getByLabel('Practice name').fill('');
  await page.getByLabel('Order timeout (minutes)').fill('121');
  await page.getByRole('button', { name: 'Save', exact: true }).first().click();
  await expect(page.getByText('This field is required')).toBeVisible();
  await expect(page.getByText('Enter 1 to 120 minutes')).toBeVisible();
  await page.getByLabel('Practice name').fill('Clínica Sol');
  await page.getByLabel('Order timeout (minutes)').fill('45');
  const footer = `Hasta pronto ${Date.now()}`;
  await page.getByLabel('Receipt footer').fill(footer);
  await expect(page.getByRole('region', { name: 'Preview of an invoice' }).getByText(footer)).toBeVisible();
  await page.getByRole('button', { name: 'Save', exact: true }).first().click();
  await expect(page.getByText('Settings saved')).toBeVisible();
  await counter.page.waitForTimeout(2000);
  const invoice = await counter.sellForCash();
  await expect(invoice.getByText(footer)).toBeVisible();
});

test.describe('a browser in neither language', () => {
  test.use({ locale: 'fr-FR' });

  test('starts in the clinic’s language and keeps it', async ({ tablet, clinic }) => {
    const { page } = tablet;
    await clinic.api('/settings', { default_language: 'sp' }, 'PUT');
    await page.goto('/login');
    await expect(page.locator('html')).toHaveAttribute('lang', 'es-ES');
    await clinic.api('/settings', { default_language: 'en' }, 'PUT');
    await page.reload();
    await expect(page.locator('html')).toHaveAttribute('lang', 'es-ES');
  });
});
