/** Patients: added offline, found on another tablet, and their history. */
import type { OrderResource } from '#domain/order/resource.ts';
import type { FullPatientResource, PatientResource } from '#domain/patient/resources.ts';
import { issuerSettings } from '../support/fiscal-till.ts';
import { printedBy, processPayment, serverOrders } from '../support/tablet.ts';
import type { Tablet } from '../support/tablet.ts';
import { expectAccessible, expectAccessibleInBothSchemes } from './expect-accessible.ts';
import { expect, test } from './fixtures.ts';

/** Returns a name that no other run of a test uses, in letters as a person has them. */
const uniqueName = () =>
  `Q${String(Date.now())
    .slice(-7, -2)
    .replace(/\d/g, (digit) => 'abcdefghij'[Number(digit)]!)}`;

const nameField = ({ page }: Tablet) => page.getByRole('combobox', { name: 'Customer name' });
const newPatient = ({ page }: Tablet) => page.getByRole('option', { name: 'New patient' });
const found = ({ page }: Tablet) =>
  page
    .getByRole('listbox', { name: 'Patients found' })
    .getByRole('option')
    .filter({ hasNotText: /New patient|Name only/ });
const drawerOf = ({ page }: Tablet, name: string) => page.getByRole('dialog', { name, exact: true });

const rowsOf = ({ page }: Tablet, table: string) =>
  page.evaluate(
    (name) =>
      new Promise<unknown[]>((resolve, reject) => {
        const opening = indexedDB.open('dental-counter');
        opening.addEventListener('error', () => reject(new Error('closed')));
        opening.addEventListener('success', () => {
          const all = opening.result.transaction(name).objectStore(name).getAll();
          all.addEventListener('success', () => {
            opening.result.close();
            resolve(all.result as unknown[]);
          });
        });
      }),
    table,
  );

test('a typed name stands as it is, and a patient who matches it is chosen by tap or by arrow keys @long', async ({
  tabletOf,
}) => {
  const tablet = await tabletOf('counter');
  const { page } = tablet;
  await tablet.openCounter();
  // Six keys within 30 ms of each other and Enter are a scan.
  await nameField(tablet).pressSequentially('marta g', { delay: 40 });
  await expect(found(tablet)).toHaveCount(1);
  // A wrong name prints, so Enter alone chooses nobody.
  await page.keyboard.press('Enter');
  await expect(found(tablet)).toHaveCount(0);
  await expect(nameField(tablet)).toHaveValue('marta g');
  await page.keyboard.press('i');
  await expect(found(tablet)).toHaveCount(1);
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Remove Marta Gil from the plan' }).click();
  await nameField(tablet).pressSequentially('1248');
  await found(tablet).filter({ hasText: 'Marta Gil' }).click();
  await expect(page.getByRole('button', { name: 'Treatments of Marta Gil' })).toBeVisible();
});

test('a patient added offline reaches another tablet with the treatment, and is found by name without accents and by phone', async ({
  tabletOf,
}) => {
  const name = `Zoé Núñez ${uniqueName()}`;
  const [desk, surgery] = [await tabletOf('counter'), await tabletOf('counter')];
  await desk.openCounter();
  await surgery.openCounter();
  await desk.loseNetwork();

  const { page } = desk;
  await desk.service('Dental cleaning').click();
  // The typed text becomes the name of a new patient.
  await nameField(desk).fill('Núñez Zoé');
  await newPatient(desk).click();
  await expect(page.getByLabel('Name', { exact: true })).toHaveValue('Núñez Zoé');
  await page.getByLabel('Name', { exact: true }).fill('Zó');
  await page.getByRole('button', { name: 'Add to the plan' }).click();
  await expect(page.getByText('Name must be at least 3 characters')).toBeVisible();
  await page.getByLabel('Name', { exact: true }).fill(name);
  await page.getByLabel('Phone number').fill('+34 655 81 90 27');
  await page.keyboard.press('Enter');
  await expect(drawerOf(desk, 'Patient')).toBeHidden();

  // The plan keeps the patient after a reload, and the patient can be removed or corrected.
  await page.reload();
  await expect(page.getByRole('button', { name: `Treatments of ${name}` })).toContainText('+34 655 81 90 27');
  await page.getByRole('button', { name: `Treatments of ${name}` }).click();
  await expect(page.getByText(/From this device\. The server does not answer/)).toBeVisible();
  await page.getByRole('button', { name: 'Edit', exact: true }).click();
  await page.getByLabel('Phone number').fill('655 81 90 28');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByRole('button', { name: 'Create and take payment' }).click();
  await expect(page.getByRole('button', { name: `Treatments of ${name}` })).toBeVisible();
  const invoice = await processPayment(page);
  await expect(invoice.getByText(name)).toBeVisible();
  await invoice.close();

  // Still offline, this tablet finds the patient and removes her from the plan again.
  await page.getByRole('tab', { name: 'Create treatment' }).click();
  await nameField(desk).fill(name.split(' ').at(-1)!);
  await expect(found(desk)).toHaveCount(1);
  await found(desk).click();
  await page.getByRole('button', { name: `Remove ${name} from the plan` }).click();
  await expect(page.getByLabel('Customer name')).toHaveValue('');

  await desk.context.setOffline(false);
  await expect(desk.pill).toContainText('Online', { timeout: 30_000 });
  await expect
    .poll(
      async () =>
        [...(await serverOrders(desk.clinic)).values()].find(({ customer_name }) => customer_name === name)?.patient_id,
      { timeout: 20_000 },
    )
    .toBeTruthy();

  for (const text of ['nunez zoe', '8190', '655-81']) {
    await nameField(surgery).fill(text);
    await expect(found(surgery).filter({ hasText: name })).toContainText('655 81 90 28');
  }
  await nameField(surgery).fill('zoe');
  await found(surgery).filter({ hasText: name }).click();
  await surgery.page.getByRole('button', { name: `Treatments of ${name}` }).click();
  await expect(surgery.page.getByText(/^Complete as of \d/)).toBeVisible();
  await expect(surgery.page.getByRole('list', { name: 'Treatments' }).getByRole('listitem')).toHaveText(
    /Dental cleaning.*60,00.*Completed/,
  );
});

test('two patients of one name stay separate, and a later correction reaches every tablet @long', async ({
  tabletOf,
  clinic,
}) => {
  const brother = uniqueName();
  const [one, other] = [await tabletOf('counter'), await tabletOf('counter')];
  await one.openCounter();
  await other.openCounter();
  for (const tablet of [one, other]) await tablet.loseNetwork();
  for (const tablet of [one, other]) {
    await tablet.service('Dental cleaning').click();
    await nameField(tablet).fill(`Twin ${brother}`);
    await newPatient(tablet).click();
    await tablet.page.getByLabel('Phone number').fill('600 600 600');
    await tablet.page.getByRole('button', { name: 'Add to the plan' }).click();
    await tablet.page.getByRole('button', { name: 'Create Treatment' }).click();
  }
  for (const tablet of [one, other]) await tablet.context.setOffline(false);
  await nameField(one).fill(`twin ${brother}`);
  await expect(found(one)).toHaveText([/600 600 600/, /600 600 600/], { timeout: 30_000 });

  // The form for a third patient of that name lists the two.
  await newPatient(one).click();
  await one.page.getByLabel('Name', { exact: true }).fill(`${brother} twin`);
  await expect(
    one.page.getByRole('list', { name: 'There is already a patient with this name' }).getByRole('button'),
  ).toHaveCount(2);
  await one.page.getByRole('dialog').getByRole('button', { name: 'Close' }).click();

  const { data } = await clinic.api<{ data: PatientResource[] }>(`/patients?search=twin ${brother}`);
  const { id } = data[0]!;
  await clinic.api(`/patients/${id}`, { name: `Twin ${brother}`, phone: '611 000 111' }, 'PUT');
  await nameField(one).fill(`twin ${brother.slice(0, -1)}`);
  await expect(found(one).filter({ hasText: '611 000 111' })).toHaveCount(1, { timeout: 30_000 });
});

test('payment mode shows the patient’s history in Spanish, and signing out deletes all patients from the tablet @long', async ({
  tablet,
  clinic,
}) => {
  const { page } = tablet;
  await tablet.signIn();
  const { data } = await clinic.api<{ data: PatientResource[] }>('/patients?search=marta gil');
  const patient = { patient_id: data[0]!.id, name: 'Marta Gil', known: true };
  const { stocks } = await clinic.api<{ stocks: { id: number }[] }>('/stock?search=dental cleaning');
  for (let visit = 0; visit < 25; visit++) {
    await clinic.api('/orders', { items: [{ stock_id: stocks[0]!.id, quantity: 1 }], patient });
  }
  await tablet.useLanguage('sp');
  await page.getByRole('tab', { name: 'Cobros' }).click();
  await page
    .getByRole('list', { name: 'Tratamientos pendientes' })
    .getByRole('button', { name: /^Marta Gil/ })
    .first()
    .click();
  const opener = page.getByRole('button', { name: 'Tratamientos de Marta Gil' });
  await opener.click();
  const history = page.getByRole('dialog', { name: 'Tratamientos de Marta Gil' });
  await expect(history.getByText(/^Los últimos, a las \d/)).toBeVisible();
  await expect(history.getByText('+34 612 480 157')).toBeVisible();
  await expect(history.getByRole('listitem')).toHaveCount(20);
  await history.getByRole('button', { name: /^Mostrar/ }).click();
  await expect(history.getByText(/^Completo a las \d/)).toBeVisible();
  expect(await history.getByRole('listitem').count()).toBeGreaterThan(25);
  await expect(history.getByText('Por pagar').first()).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(opener).toBeFocused();

  expect((await rowsOf(tablet, 'patients')).length).toBeGreaterThanOrEqual(36);
  await page.getByRole('tab', { name: 'Crear tratamiento' }).click();
  await page.getByRole('combobox', { name: 'Nombre del paciente' }).fill('ibanez');
  await page.getByRole('option', { name: /José Ángel Ibáñez/ }).click();
  await page.getByRole('button', { name: 'Cerrar sesión' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Cerrar sesión' }).click();
  await expect(page).toHaveURL(/\/login$/);
  expect(await rowsOf(tablet, 'patients')).toEqual([]);
  expect(await page.evaluate(() => JSON.stringify(localStorage))).not.toContain('Ibáñez');
});

const panel = ({ page }: Tablet, name: string) => page.getByRole('region', { name, exact: true });
const heading = ({ page }: Tablet, name: string) => page.getByRole('heading', { level: 1, name, exact: true });

/** Opens a patient's page by Ctrl+K. */
async function seek({ page }: Tablet, text: string, name: string): Promise<void> {
  await page.keyboard.press('Control+k');
  await page.getByRole('combobox', { name: 'Patients, treatments, services, staff, pages' }).fill(text);
  await page.getByRole('option', { name: new RegExp(`^${name}`) }).click();
}

test('the page of a patient is edited offline, found by e-mail and NIF at once, and reaches other tablets', async ({
  tabletOf,
  clinic,
}) => {
  const name = `Paz Page ${uniqueName()}`;
  const created = await clinic.api<{ data: PatientResource }>('/patients', { name, phone: '600 11 22 33' }, 'POST');
  const email = `${name.split(' ').at(-1)!.toLowerCase()}@example.com`;
  const [desk, other] = [await tabletOf('manager'), await tabletOf('counter')];
  const { page } = desk;
  await desk.openCounter();
  await other.openCounter();
  await expect(async () => {
    await nameField(desk).fill(name);
    await expect(found(desk)).toHaveCount(1);
  }).toPass();
  await desk.loseNetwork();
  await seek(desk, name, name);
  await expect(heading(desk, name)).toBeVisible();
  await expect(panel(desk, 'Documents').getByText(/^From this device/)).toBeVisible();
  await expect(panel(desk, 'To be paid').getByText('Nothing', { exact: true })).toBeVisible();
  await expectAccessibleInBothSchemes(page);

  await page.getByRole('button', { name: 'Edit', exact: true }).click();
  const form = page.getByRole('dialog', { name: 'Edit patient' });
  await form.getByLabel('E-mail').fill('paz');
  await form.getByLabel('NIF').fill('12345678a');
  await form.getByRole('button', { name: 'Save' }).click();
  await expect(form.getByText('Invalid email format')).toBeVisible();
  await expect(form.getByText('This is not a valid NIF, NIE or CIF')).toBeVisible();
  await form.getByLabel('E-mail').fill(email);
  await form.getByLabel('NIF').fill('12345678-z');
  await form.getByLabel('Address').fill('Calle Sol 2');
  await form.getByLabel('Notes for the counter').fill('Pays by card');
  await expectAccessible(page);
  await form.getByRole('button', { name: 'Save' }).click();
  await expect(form).toBeHidden();
  for (const text of [email, '12345678Z', 'Calle Sol 2', 'Pays by card'])
    await expect(panel(desk, 'Details').getByText(text)).toBeVisible();
  await expect(page.getByText('On this device').first()).toBeVisible();
  await seek(desk, email.slice(0, 8), name);
  await expect(heading(desk, name)).toBeVisible();

  await desk.context.setOffline(false);
  await expect(desk.pill).toContainText('Online', { timeout: 30_000 });
  const stored = () => clinic.api<{ data: FullPatientResource }>(`/patients/${created.data.id}`);
  await expect.poll(async () => (await stored()).data.recipient?.tax_id, { timeout: 20_000 }).toBe('12345678Z');
  expect((await stored()).data).toMatchObject({ name, phone: '600 11 22 33', email, notes: 'Pays by card' });
  await expect(async () => {
    await nameField(other).fill('');
    await nameField(other).fill(email);
    await expect(found(other)).toHaveCount(1);
  }).toPass({ timeout: 20_000 });
});

test('the page shows what is owed, treatments and documents, and the chip of the plan leads to it', async ({
  tabletOf,
  clinic,
}) => {
  const name = `Olga Owes ${uniqueName()}`;
  const { data: patient } = await clinic.api<{ data: PatientResource }>('/patients', { name }, 'POST');
  const { stocks } = await clinic.api<{ stocks: { id: number }[] }>('/stock?search=dental cleaning');
  const treat = () =>
    clinic.api<{ data: OrderResource }>('/orders', {
      items: [{ stock_id: stocks[0]!.id, quantity: 1 }],
      patient: { patient_id: patient.id, name, known: true },
    });
  const paid = (await treat()).data;
  await clinic.api(`/orders/${paid.id}/payments`, { payment_method: 'card', amount: 60 });
  const open = (await treat()).data;
  await clinic.api(`/orders/${open.id}/payments`, { payment_method: 'cash', amount: 20 });

  const tablet = await tabletOf('manager');
  const { page } = tablet;
  await tablet.openCounter();
  await expect(async () => {
    await nameField(tablet).fill(name);
    await expect(found(tablet)).toHaveCount(1);
  }).toPass();
  await found(tablet).click();
  await page.getByRole('button', { name: `Treatments of ${name}` }).click();
  await page.getByRole('button', { name: 'Patient page' }).click();
  await expect(heading(tablet, name)).toBeVisible();
  await expect(panel(tablet, 'To be paid')).toContainText('40,00');
  const papers = panel(tablet, 'Documents');
  const invoice = papers.getByRole('row').filter({ hasText: 'INV-' }).filter({ hasText: '60,00' });
  await expect(invoice).toHaveCount(1);
  await expect(panel(tablet, 'Treatments').getByRole('listitem')).toHaveCount(2);
  await invoice.getByText(/^INV-/).click();
  const shown = page.getByRole('dialog');
  await expect(shown.getByText('Dental cleaning').first()).toBeVisible();
  const paper = await printedBy(page, () => shown.getByRole('button', { name: 'Reprint', exact: true }).click());
  await expect(paper.getByText(name).first()).toBeVisible();
  await paper.close();
  await shown.getByRole('button', { name: 'Close' }).last().click();

  // A plan of somebody else does not become this patient's.
  await tablet.openCounter();
  await page.getByRole('button', { name: `Remove ${name} from the plan` }).click();
  await tablet.service('3D scan').click();
  await tablet.nameCustomer('Somebody Else');
  await seek(tablet, name, name);
  await page.getByRole('button', { name: 'New treatment' }).click();
  await expect(page.getByRole('button', { name: `Treatments of ${name}` })).toBeVisible();
  await expect(page.getByText('No services in the plan')).toBeVisible();
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(tablet.customer('Somebody Else')).toBeVisible();
  await expect(page.getByText('1 service', { exact: true })).toBeVisible();
  await seek(tablet, name, name);

  await panel(tablet, 'To be paid')
    .getByRole('button', { name: `Take payment for ${open.number}` })
    .click();
  await expect(page.getByRole('tab', { name: 'Process payment' })).toHaveAttribute('aria-selected', 'true');
});

test('the list of patients is searched by e-mail, adds a patient, and goes on without a network @long', async ({
  tabletOf,
  clinic,
}) => {
  const name = `Lista ${uniqueName()}`;
  const tablet = await tabletOf('manager');
  const { page } = tablet;
  await page.goto('/patients');
  await expect(page.getByRole('row').nth(1)).toBeVisible();
  await expectAccessibleInBothSchemes(page);
  await page.getByRole('searchbox').fill('marta.gil@');
  await expect(page.getByRole('row')).toHaveCount(2);
  await page.getByRole('searchbox').fill('');
  await page.getByRole('button', { name: 'New patient' }).click();
  const form = page.getByRole('dialog', { name: 'New patient' });
  await form.getByLabel('Name', { exact: true }).first().fill(name);
  await form.getByLabel('Phone number').fill('699 123 123');
  // A tap beside the form does not throw away what is typed, and a double tap adds one patient.
  await page.mouse.click(2, 400);
  await expect(form.getByLabel('Phone number')).toHaveValue('699 123 123');
  await form.getByRole('button', { name: 'Save' }).evaluate((save: HTMLButtonElement) => {
    save.click();
    save.click();
  });
  await expect(heading(tablet, name)).toBeVisible();
  await expect
    .poll(async () => (await clinic.api<{ data: PatientResource[] }>(`/patients?search=${name}`)).data.length)
    .toBe(1);
  await page.getByRole('button', { name: 'All patients' }).click();
  await tablet.loseNetwork();
  await page.getByRole('searchbox').fill(name);
  await expect(page.getByText('From this device: the server does not answer.')).toBeVisible();
  await page.getByRole('row').filter({ hasText: name }).getByText(name).click();
  await expect(heading(tablet, name)).toBeVisible();
});

test('a full invoice takes its recipient from the patient’s page and gives it back @long', async ({
  newTablet,
  freshClinic: clinic,
}) => {
  // A demo has no VERI*FACTU, without which only a clinic of SII issues invoices.
  await clinic.api('/settings', { ...issuerSettings, books_by_sii: true }, 'PUT');
  const { data } = await clinic.api<{ data: FullPatientResource[] }>('/patients?search=marta gil');
  const known = data[0]!.recipient!;
  const tablet = await newTablet(clinic);
  await tablet.signIn('manager');
  const { page } = tablet;
  // They follow the first pull, page by page.
  await expect.poll(async () => (await rowsOf(tablet, 'patient_details')).length).toBeGreaterThan(20);
  await tablet.loseNetwork();
  await tablet.service('Dental cleaning').click();
  await nameField(tablet).fill('marta gil');
  await expect(found(tablet)).toHaveCount(1);
  await found(tablet).click();
  await page.getByRole('button', { name: 'Create and take payment' }).click();
  await page.getByRole('button', { name: 'Card', exact: true }).click();
  await page.getByRole('button', { name: 'Full invoice' }).click();
  const asked = page.getByRole('dialog', { name: 'Full invoice' });
  await expect(asked.getByLabel('NIF')).toHaveValue(known.tax_id);
  await expect(asked.getByLabel('Address')).toHaveValue(known.address);
  await asked.getByLabel('Address').fill('Calle Nueva 1');
  await asked.getByRole('button', { name: 'Full invoice' }).click();
  // The payment says whom its invoice names, also after a look at the catalogue.
  await page.getByRole('tab', { name: 'Create treatment' }).click();
  await page.getByRole('tab', { name: 'Process payment' }).click();
  const given = page.getByRole('button', { name: 'Full invoice to Marta Gil' });
  const charge = page.getByRole('button', { name: 'Process Payment', exact: true });
  const [left, right] = [(await given.boundingBox())!, (await charge.boundingBox())!];
  expect(left.x + left.width).toBeLessThanOrEqual(right.x);
  await given.click();
  await expect(asked.getByLabel('Address')).toHaveValue('Calle Nueva 1');
  await asked.getByRole('button', { name: 'Back', exact: true }).click();
  await page.getByRole('button', { name: 'Card', exact: true }).click();
  await (
    await printedBy(page, () => page.getByRole('button', { name: 'Process Payment', exact: true }).click())
  ).close();
  // Given back at once, on this device.
  await seek(tablet, 'marta gil', 'Marta Gil');
  await expect(panel(tablet, 'Details').getByText('Calle Nueva 1')).toBeVisible();
  await tablet.context.setOffline(false);
  await expect
    .poll(
      async () => (await clinic.api<{ data: FullPatientResource }>(`/patients/${data[0]!.id}`)).data.recipient?.address,
      { timeout: 30_000 },
    )
    .toBe('Calle Nueva 1');
});

test('on a phone a tap on a card opens the patient, and so does Enter', async ({ tabletOf }) => {
  const { page } = await tabletOf('counter');
  await page.setViewportSize({ width: 390, height: 844 });
  const card = page.getByRole('list', { name: 'Patients' }).getByRole('listitem').filter({ hasText: 'Marta Gil' });
  const name = page.getByRole('heading', { name: 'Marta Gil', level: 1 });
  await page.goto('/patients?q=Marta+Gil');
  await card.click();
  await expect(name).toBeVisible();
  await page.goto('/patients?q=Marta+Gil');
  await card.focus();
  await page.keyboard.press('Enter');
  await expect(name).toBeVisible();
});
