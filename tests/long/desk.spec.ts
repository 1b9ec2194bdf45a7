/** The back office in Spanish, and the drafts of its forms. `npm test` has the English siblings, in `tests/e2e/`. */
import type { Page } from '@playwright/test';
import { draftSavedMs } from '../support/tablet.ts';
import type { Tablet } from '../support/tablet.ts';
import { chooseAction, field } from '../e2e/elements.ts';
import { expect, test } from '../e2e/fixtures.ts';
import { addItem, openStockTab, picker } from '../e2e/stock-elements.ts';

async function openPage(tablet: Tablet, address: string): Promise<Page> {
  await tablet.signIn('manager');
  await tablet.page.goto(`/${address}`);
  return tablet.page;
}

async function inSpanish(tablet: Tablet, address: string): Promise<Page> {
  await tablet.signIn('manager');
  await tablet.useLanguage('sp');
  await tablet.page.goto(address);
  return tablet.page;
}

async function addToOrder(page: Page, name: string): Promise<void> {
  await page.getByRole('combobox', { name: 'Add item' }).fill(name.slice(0, 8));
  await page.getByRole('option', { name: new RegExp(name) }).click();
}

test.describe('Spanish', () => {
  test('the form of a stock item names the problem of each field', async ({ tablet }) => {
    const page = await inSpanish(tablet, '/stock?tab=inventory&item=new');
    const part = (name: string) => page.locator('dialog[open]').getByLabel(name, { exact: true });
    await part('Unidad').selectOption('');
    for (const name of ['Cantidad', 'Cantidad reservada', 'Umbral de existencias bajas', 'Coste por unidad'])
      await part(name).fill('-1');
    await page.getByRole('button', { name: 'Crear artículo' }).click();
    await expect(part('Nombre')).toBeFocused();
    for (const [name, problem] of Object.entries({
      Nombre: 'El nombre es obligatorio',
      Unidad: 'La unidad es obligatoria',
      Proveedor: 'El proveedor es obligatorio',
      'Contacto del proveedor': 'El contacto del proveedor es obligatorio',
      Cantidad: 'La cantidad debe ser 0 o mayor',
      'Cantidad reservada': 'La cantidad reservada debe ser 0 o mayor',
      'Umbral de existencias bajas': 'El umbral de existencias bajas debe ser 0 o mayor',
      'Coste por unidad': 'El coste por unidad debe ser 0 o mayor',
    }))
      await expect(part(name)).toHaveAccessibleDescription(problem);
  });

  test('the forms of an expense name the problem of each field', async ({ newTablet, freshClinic }) => {
    const page = await inSpanish(await newTablet(freshClinic), '/expenses?expense=new');
    await field(page, 'Título').fill('ab');
    await field(page, 'Importe').fill('-1');
    await field(page, 'Fecha').fill('');
    await page
      .locator('input[type=file]')
      .setInputFiles({ name: 'receipt.svg', mimeType: 'image/svg+xml', buffer: Buffer.from('<svg/>') });
    await expect(page.getByRole('alert').filter({ hasText: 'Este tipo de archivo no se admite.' })).toBeVisible();
    await page.getByRole('button', { name: 'Crear gasto' }).click();
    for (const [label, problem] of Object.entries({
      Título: 'El título debe tener al menos 3 caracteres',
      Descripción: 'La descripción debe tener al menos 3 caracteres',
      Importe: 'El importe debe ser 0 o mayor',
      Fecha: 'Este campo es obligatorio',
    }))
      await expect(field(page, label)).toHaveAccessibleDescription(problem);

    await page.goto('/expenses');
    await chooseAction(page, 'Handpiece repair', 'Rechazar');
    const dialog = page.getByRole('dialog');
    for (const reason of ['', '  ', 'no']) {
      await dialog.getByLabel('Motivo').fill(reason);
      await dialog.getByRole('button', { name: 'Rechazar' }).click();
      await expect(dialog.getByLabel('Motivo')).toHaveAccessibleDescription(
        'El motivo del rechazo debe tener al menos 3 caracteres',
      );
    }
    await page.keyboard.press('Escape');
    await expect(dialog).toHaveCount(0);
  });

  test('the form of a category refuses a name of one letter', async ({ tablet }) => {
    const page = await inSpanish(tablet, '/services?tab=categories');
    await page.getByRole('button', { name: 'Añadir categoría' }).click();
    await page.getByLabel('Nombre', { exact: true }).fill('S');
    await page.getByRole('button', { name: 'Crear categoría' }).click();
    await expect(page.getByText('El nombre de la categoría debe tener al menos 2 caracteres')).toBeVisible();
  });

  test('the filters of a report name their problems', async ({ tablet }) => {
    const page = await inSpanish(tablet, '/reports?tab=export');
    await page.getByRole('button', { name: 'Filtros' }).click();
    for (const [label, text] of Object.entries({
      'Fecha inicial': '2026-11-20',
      'Fecha final': '2026-11-19',
      'Importe mínimo': '20',
      'Importe máximo': '10',
    }))
      await field(page, label).fill(text);
    await expect(field(page, 'Fecha final')).toHaveAccessibleDescription(
      'La fecha final del informe no puede ser anterior a la inicial',
    );
    await expect(field(page, 'Importe máximo')).toHaveAccessibleDescription(
      'El importe máximo no puede ser menor que el mínimo',
    );
    await expect(page.getByRole('button', { name: /^Vista previa/ })).toBeDisabled();
  });

  test('the form of a service names the problem of each field in the language that was chosen meanwhile', async ({
    tablet,
  }) => {
    const page = await openPage(tablet, 'services?service=new');
    await page.getByLabel('Name', { exact: true }).fill('W');
    await page.getByRole('combobox', { name: 'Add ingredient' }).fill('mouthw');
    await page.getByRole('option', { name: /Mouthwash/ }).click();
    await page.getByLabel('Quantity of Mouthwash 500 ml').fill('-1');
    await page.getByRole('button', { name: 'Create service' }).click();
    for (const message of [
      'Product name must be at least 2 characters',
      'Price must be greater than 0',
      'Quantity must be 0 or greater',
    ]) {
      await expect(page.getByText(message)).toBeVisible();
    }
    await page.waitForTimeout(draftSavedMs);
    await tablet.useLanguage('sp');
    await expect(page.getByText('Lo que había escrito antes sigue aquí.')).toBeVisible();
    await page.getByRole('button', { name: 'Crear servicio' }).click();
    for (const message of [
      'El nombre del producto debe tener al menos 2 caracteres',
      'El precio debe ser mayor que 0',
      'La cantidad debe ser 0 o mayor',
    ]) {
      await expect(page.getByText(message)).toBeVisible();
    }
  });

  test('the form of an order names the problem of each field in the language that was chosen meanwhile', async ({
    tablet,
  }) => {
    const page = await openPage(tablet, 'purchase-orders?order=new');
    await page.getByRole('dialog').getByRole('button', { name: 'Create Purchase Order' }).click();
    await expect(page.getByText('This field is required')).toBeVisible();
    await expect(page.getByText('Add at least one item')).toBeVisible();
    await addToOrder(page, 'Alginate');
    await page.getByLabel('Quantity of Alginate').fill('0');
    await page.getByRole('dialog').getByRole('button', { name: 'Create Purchase Order' }).click();
    await expect(page.getByText('Quantity must be greater than 0')).toBeVisible();
    await page.getByLabel('Quantity of Alginate').fill('1');
    await page.getByLabel('Unit cost of Alginate').fill('-1');
    await page.getByRole('dialog').getByRole('button', { name: 'Create Purchase Order' }).click();
    await expect(page.getByText('Cost per unit must be 0 or greater')).toBeVisible();
    await page.waitForTimeout(draftSavedMs);
    await tablet.useLanguage('sp');
    await expect(page.getByText('Lo que había escrito antes sigue aquí.')).toBeVisible();
    await page.getByRole('dialog').getByRole('button', { name: 'Crear pedido de compra' }).click();
    await expect(page.getByText('Este campo es obligatorio')).toBeVisible();
    await expect(page.getByText('El coste por unidad debe ser 0 o mayor')).toBeVisible();
  });
});

const amount = (page: Page) => page.getByLabel(/^(Amount|Cantidad)$/);

async function choose(page: Page, name: string): Promise<void> {
  await picker(page).fill(name);
  await page
    .getByRole('option', { name: new RegExp(name) })
    .first()
    .click();
}

const room = (page: Page, name: string) =>
  page.getByRole('listitem').filter({ has: page.getByRole('heading', { name, exact: true }) });

test('a manager adds, marks and deletes rooms; the form names missing values in both languages, and an occupied room is not deleted', async ({
  newTablet,
  freshClinic,
}) => {
  const tablet = await newTablet(freshClinic);
  const { page } = tablet;
  await tablet.signIn('manager');
  await page.getByRole('link', { name: 'Rooms', exact: true }).click();
  await expect(room(page, 'Room 3')).toContainText('Available');
  await expect(room(page, 'Room 4')).toContainText('Marked as occupied');

  await page.getByRole('button', { name: 'Add Room' }).click();
  const form = page.getByRole('dialog');
  await form.getByLabel('Places').fill('0');
  await form.getByRole('button', { name: 'Create room' }).click();
  await expect(form.getByText('Table number is required')).toBeVisible();
  await expect(form.getByText('Table must have at least 1 seat')).toBeVisible();
  await form.getByLabel('Places').fill('21');
  await expect(form.getByText('Maximum 20 seats per table')).toBeVisible();
  await tablet.useLanguage('sp');
  await form.getByLabel('Plazas').fill('21');
  await form.getByRole('button', { name: 'Crear gabinete' }).click();
  await expect(form.getByText('El número del gabinete es obligatorio')).toBeVisible();
  await expect(form.getByText('Como máximo 20 plazas por gabinete')).toBeVisible();
  await form.getByLabel('Plazas').fill('');
  await expect(form.getByText('El gabinete debe tener al menos 1 plaza')).toBeVisible();
  await form.getByLabel('Plazas').fill('3');
  await form.getByLabel('Número').fill('3');
  await form.getByLabel('Ubicación').fill('Ático');
  await form.getByRole('button', { name: 'Crear gabinete' }).click();
  await expect(page.getByText('Ya hay un gabinete con este número.')).toBeVisible();
  await form.getByLabel('Número').fill('12');
  await form.getByRole('button', { name: 'Crear gabinete' }).click();
  await expect(room(page, 'Gabinete 12')).toContainText('3 plazas');
  await expect(page.getByRole('heading', { name: 'Ático' })).toBeVisible();

  await page.getByRole('button', { name: 'Marcar Gabinete 12 como ocupado' }).click();
  await expect(room(page, 'Gabinete 12')).toContainText('Marcado como ocupado');
  await page.getByRole('button', { name: 'Eliminar Gabinete 12' }).click();
  await expect(page.getByText('El gabinete está ocupado. Libérelo primero.')).toBeVisible();
  await tablet.useLanguage('en');
  await page.getByRole('button', { name: 'Delete Room 12' }).click();
  await expect(page.getByText('Table is currently occupied. Please clear the table first.')).toBeVisible();
  // The toast covers the buttons of the lowest row.
  await page.getByRole('button', { name: 'Dismiss' }).click();
  await page.getByRole('button', { name: 'Clear Room 12' }).click();
  await expect(room(page, 'Room 12')).toContainText('Available');
  await page.getByRole('button', { name: 'Dismiss' }).click();
  await page.getByRole('button', { name: 'Delete Room 12' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
  await expect(room(page, 'Room 12')).toHaveCount(0);
  await expect(page.getByRole('heading', { name: 'Ático' })).toHaveCount(0);
});

test.describe('in a Spanish browser', () => {
  test.use({ locale: 'es-ES' });

  test('an adjustment shows its warnings and problems in Spanish', async ({ tablet, clinic }) => {
    const { page } = tablet;
    const { name } = await addItem(clinic, 'Gasa avisada');
    await page.goto('/login');
    await tablet.submitSignIn('manager@demo.test', 'demo-manager');
    await tablet.counterReady();
    await openStockTab(tablet, 'stock-management');
    await choose(page, name);
    await page.getByRole('radio', { name: 'Restar' }).click();
    const warnings = {
      9: 'Existencias bajas: en el umbral de 2 cajas o por debajo.',
      10: 'Agotado: no quedaría nada.',
      11: 'Existencias negativas',
    };
    for (const [typed, text] of Object.entries(warnings)) {
      await amount(page).fill(typed);
      await expect(page.getByText(text)).toBeVisible();
    }
    for (const [typed, problem] of [
      ['-1', 'La cantidad debe ser 0 o mayor'],
      ['0.0001', 'Use como máximo 3 decimales después de la coma.'],
    ] as const) {
      await amount(page).fill(typed);
      await amount(page).blur();
      await expect(page.getByText(problem)).toBeVisible();
    }
    await amount(page).fill('1');
    await page.getByRole('button', { name: 'Actualizar', exact: true }).last().click();
    await expect(page.getByText(`${name}: salida de 1 cajas`)).toBeVisible();
    await expect(page.getByText('Guardado aquí. Se enviará al servidor.')).toBeVisible();
  });

  test('the form of a person names the problem of each field and keeps its values after a reload, except the password', async ({
    tablet,
  }) => {
    const { page } = tablet;
    await page.goto('/login');
    await tablet.submitSignIn('admin@demo.test', 'demo-admin');
    await tablet.counterReady();
    await page.goto('/admin/staff');
    await page.getByRole('button', { name: 'Añadir personal' }).first().click();
    await page.getByLabel('Nombre', { exact: true }).fill('Al');
    await page.getByLabel('Correo', { exact: true }).fill('nobody');
    await page.getByLabel('Contraseña', { exact: true }).fill('12345');
    await page.getByRole('button', { name: 'Crear usuario', exact: true }).click();
    for (const problem of [
      'El nombre debe tener al menos 3 caracteres',
      'El formato del correo no es válido',
      'La contraseña debe tener al menos 6 caracteres',
    ])
      await expect(page.getByText(problem)).toBeVisible();

    await page.getByLabel('Nombre', { exact: true }).fill('Alba Torres');
    await page.getByLabel('Correo', { exact: true }).fill('counter@demo.test');
    await page.getByLabel('Contraseña', { exact: true }).fill('sol y sombra');
    await page.getByRole('button', { name: 'Crear usuario', exact: true }).click();
    await expect(page.getByText('Otra persona ya tiene este correo')).toBeVisible();
    await expect(page.getByLabel('Nombre', { exact: true })).toHaveValue('Alba Torres');

    await page.waitForTimeout(draftSavedMs);
    await page.reload();
    await page.getByRole('button', { name: 'Añadir personal' }).first().click();
    await expect(page.getByLabel('Nombre', { exact: true })).toHaveValue('Alba Torres');
    await expect(page.getByLabel('Contraseña', { exact: true })).toHaveValue('');
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

test('the form of a service keeps its values after a reload and an expired session', async ({ tablet }) => {
  const page = await openPage(tablet, 'services?service=new');
  await page.getByLabel('Name', { exact: true }).fill('Half a service');
  await page.getByLabel('Price', { exact: true }).fill('9');
  await page.getByRole('combobox', { name: 'Add ingredient' }).fill('cotton');
  await page.getByRole('option', { name: /Cotton rolls/ }).click();
  await page.waitForTimeout(draftSavedMs);
  await page.reload();
  await expect(page.getByText('Your earlier entries are still here.')).toBeVisible();
  await expect(page.getByLabel('Name', { exact: true })).toHaveValue('Half a service');
  await tablet.expireSession();
  await page.getByRole('button', { name: 'Create service' }).click();
  await expect(page.getByText('Your session has expired. Please log in again to continue.').first()).toBeVisible();
  await openPage(tablet, 'services?service=new');
  await expect(page.getByLabel('Name', { exact: true })).toHaveValue('Half a service');
  await expect(page.getByLabel('Quantity of Cotton rolls')).toHaveValue('1');
  await page.getByRole('button', { name: 'Create service' }).click();
  await expect(page.getByText('Half a service was created')).toBeVisible();
});

test('a draft order survives a reload and an expired session', async ({ tablet }) => {
  const page = await openPage(tablet, 'purchase-orders?order=new');
  const create = page.getByRole('dialog').getByRole('button', { name: 'Create Purchase Order' });
  await page.getByLabel('Vendor', { exact: true }).fill('Slow vendor');
  await addToOrder(page, 'Orthodontic wax');
  await page.getByLabel('Quantity of Orthodontic wax').fill('7');
  await page.waitForTimeout(draftSavedMs);
  await page.reload();
  await expect(page.getByLabel('Quantity of Orthodontic wax')).toHaveValue('7');
  await tablet.expireSession();
  await create.click();
  await expect(page.getByText('Your session has expired. Please log in again to continue.').first()).toBeVisible();
  await openPage(tablet, 'purchase-orders?order=new');
  await expect(page.getByText('Your earlier entries are still here.')).toBeVisible();
  await create.click();
  await expect(page.getByText('The purchase order was created')).toBeVisible();
  await expect(page.getByText('Slow vendor').first()).toBeVisible();
});
