/** VERI*FACTU at the desk: switching it on, the certificate, the page of fiscal records, and the declaration. */
import { readFileSync } from 'node:fs';
import { strFromU8, unzipSync } from 'fflate';
import { businessDay } from '#domain/business-day.ts';
import { defaultSettings } from '#domain/settings/settings.ts';
import { makeCertificate } from '../support/client-certificate.ts';
import { newId } from '../support/unique.ts';
import { startFiscalClinic } from '../support/fiscal-clinic.ts';
import type { ServerProcess } from '../support/server-process.ts';
import { expect, test } from './desk.ts';
import { expectAccessibleInBothSchemes } from './expect-accessible.ts';

const price = 60;

/** Sells through the API, so that the record is of the server's own chain. Returns the invoice's number. */
async function sell(clinic: ServerProcess, product_id: number): Promise<string> {
  const order_id = newId();
  await clinic.api('/orders', { order_id, items: [{ line_id: newId(), product_id, quantity: 1 }] });
  await clinic.api(`/orders/${order_id}/payments`, { payment_method: 'card', amount: price });
  const { data } = await clinic.api<{ data: { Invoices: { invoice_number: string }[] } }>(`/orders/${order_id}`);
  return data.Invoices[0]!.invoice_number;
}

/** Adds a copy of an invoice, under another number, that arrived two hours ago without a record. */
async function loseRecordOf(clinic: ServerProcess, number: string): Promise<void> {
  const opId = newId();
  await clinic.query(
    `insert into sync_ops select (json_populate_record(o, json_build_object('op_id', $1::uuid, 'received_at', $3::timestamptz - interval '2 hours'))).*
     from sync_ops o join invoices i on i.op_id = o.op_id where i.number = $2`,
    [opId, number, new Date()],
  );
  await clinic.query(
    `insert into invoices select (jsonb_populate_record(i, jsonb_build_object('id', gen_random_uuid(), 'op_id', $1::uuid, 'number', number || '9',
       'document', document || jsonb_build_object('device_id', 0, 'invoice_number', number || '9')))).*
     from invoices i where number = $2`,
    [opId, number],
  );
}

/** Adds chains of one record, as other devices would have. */
async function addChains(clinic: ServerProcess, count: number): Promise<void> {
  await clinic.query(
    `insert into fiscal_records (clinic_id, chain, device_id, sequence, type, number, document_op_id, hash, seal, record, received_at)
     select clinic_id, 'ZZZ' || n, n, 1, type, number || 'Z' || n, gen_random_uuid(), hash, seal, record, received_at
     from fiscal_records, generate_series(1, $1) n where sequence = 1 and type = 'issue'`,
    [count],
  );
}

test('an administrator switches VERI*FACTU on, sees sent, unsent and rejected records, and corrects a rejected one', async ({
  newTablet,
}) => {
  test.slow();
  const { clinic, authority, destroy } = await startFiscalClinic({ isOn: false });
  try {
    const office = await newTablet(clinic);
    await office.signIn('admin');
    const { page } = office;
    const unsent = page.getByRole('link', { name: /fiscal records? not sent/ });
    await expect(unsent).toHaveCount(0);

    await page.goto('/admin/settings');
    const section = page.getByRole('region', { name: 'VERI*FACTU', exact: true });
    const save = page.getByRole('button', { name: 'Save', exact: true }).first();
    await section.getByLabel('On from').fill('2026-01-01');
    await save.click();
    await expect(section.getByText('VERI*FACTU begins today or later')).toBeVisible();
    await section.getByLabel('On from').fill(businessDay(Date.now(), defaultSettings.time_zone));
    await section.getByLabel('Description of the operation').fill('Servicios de odontología');
    await save.click();
    await expect(page.getByText('Settings saved')).toBeVisible();
    await expect(unsent).toHaveAccessibleName('0 fiscal records not sent to the tax agency');

    const certificate = page.getByRole('region', { name: 'Certificate for the tax agency' });
    await expect(certificate.getByText('No certificate yet')).toBeVisible();
    const { pkcs12 } = makeCertificate({ passphrase: 'una contraseña', days: 20 });
    const file = { name: 'clinic.p12', mimeType: 'application/x-pkcs12', buffer: pkcs12 };
    await certificate.getByLabel('Certificate file').setInputFiles(file);
    await certificate.getByLabel('Passphrase').fill('wrong');
    await certificate.getByRole('button', { name: 'Upload certificate' }).click();
    await expect(certificate.getByText('This file and this passphrase do not open')).toBeVisible();
    await certificate.getByLabel('Passphrase').fill('una contraseña');
    await certificate.getByRole('button', { name: 'Upload certificate' }).click();
    await expect(certificate.getByText('CLINICA NANDU SL', { exact: true })).toBeVisible();
    await expect(certificate.getByText(/Ends in (19|20) days/)).toBeVisible();

    const { data } = await clinic.api<{ data: { id: number } }>('/products', { name: 'Gum treatment', price });
    const product = data.id;
    const refused = { state: 'Incorrecto', code: 1104, message: 'Valor del campo no válido' } as const;
    authority.judge = ({ number, correction }) =>
      number.endsWith('-000001') && correction === undefined ? refused : undefined;
    const rejected = await sell(clinic, product);
    await expect.poll(() => authority.calls.length, { timeout: 20_000 }).toBe(1);
    const accepted = await sell(clinic, product);
    await expect.poll(() => authority.records.map(({ number }) => number), { timeout: 20_000 }).toEqual([accepted]);
    authority.mood = 'down';
    const waiting = await sell(clinic, product);

    await page.goto('/admin/fiscal');
    const rows = page.getByRole('region', { name: 'Records', exact: true });
    const row = (number: string) => rows.getByRole('row').filter({ hasText: number });
    await expect(row(accepted)).toContainText('Accepted');
    await expect(row(rejected)).toContainText('1104: Valor del campo no válido');
    await expect(row(rejected)).toContainText('The agency does not have this invoice');
    await expect(row(waiting)).toContainText('Unsent');
    await expect(unsent).toHaveAccessibleName('1 fiscal record not sent to the tax agency');
    await page.getByLabel('State').selectOption('With errors or rejected');
    await expect(row(accepted)).toHaveCount(0);
    await expect(row(rejected)).toBeVisible();
    await page.getByLabel('State').selectOption('All states');
    await page.getByLabel('Invoice number').fill(waiting);
    await expect(row(accepted)).toHaveCount(0);
    await page.getByLabel('Invoice number').clear();

    const chains = page.getByRole('table').filter({ hasText: 'Last record' });
    await page.getByRole('tab', { name: 'Chains' }).click();
    await page.getByRole('button', { name: 'Verify the chains' }).click();
    await expect(page.getByText('3 records were computed again')).toBeVisible();
    await expect(chains.getByText('Intact', { exact: true })).toBeVisible();
    const head = await chains.getByText(/^3 · [0-9A-F]{16}$/).textContent();
    const chain = /^INV-([A-Z]+\d)-/.exec(waiting)![1]!;
    await page.getByLabel('Head on a Z report').fill(`${chain} · ${head!.slice(0, -1)}`);
    await page.getByRole('button', { name: 'Verify the chains' }).click();
    await expect(page.getByText('The printed head is in its chain.')).toBeVisible();
    await page.getByLabel('Head on a Z report').fill(`${chain} · 3 · 0000000000000000`);
    await page.getByRole('button', { name: 'Verify the chains' }).click();
    await expect(page.getByText('The printed head is in no chain')).toBeVisible();
    await loseRecordOf(clinic, waiting);
    await page.getByRole('button', { name: 'Verify the chains' }).click();
    await expect(page.getByText('1 document has no fiscal record')).toBeVisible();
    await expect(page.getByRole('list', { name: 'Documents without a fiscal record' })).toContainText(`${waiting}9`);
    await expectAccessibleInBothSchemes(page);

    await page.getByRole('tab', { name: 'Export' }).click();
    await expectAccessibleInBothSchemes(page);
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Export', exact: true }).click(),
    ]);
    const files = unzipSync(readFileSync(await download.path()));
    expect(Object.keys(files)).toEqual([`0001-${chain}.jsonl`, `0001-${chain}.xml`, 'index.json']);
    const xml = strFromU8(files[`0001-${chain}.xml`]!);
    for (const number of [rejected, accepted, waiting]) expect(xml).toContain(number);
    expect(xml).toContain('<sf:DescripcionOperacion>Servicios de odontología</sf:DescripcionOperacion>');

    await page.getByRole('button', { name: /Account of/ }).click();
    await page.getByRole('link', { name: 'About' }).click();
    await expect(page.getByRole('heading', { name: /Responsible declaration/ })).toBeVisible();
    await expect(page.getByText('Not signed').first()).toBeVisible();
    await expect(page.getByText('Productor & Cía')).toBeVisible();
    await expectAccessibleInBothSchemes(page);

    // The correction follows what waits, and the agency takes both when it answers again.
    await page.goto('/admin/fiscal?state=faulty');
    await row(rejected).getByRole('button', { name: 'Correct the record' }).click();
    const correction = page.getByRole('dialog', { name: 'Correct the record' });
    await expect(correction).toContainText(rejected);
    await expect(correction.getByLabel('Recipient’s name')).toHaveCount(0);
    await correction.getByRole('button', { name: 'Send anew' }).click();
    await expect(page.getByText(`The record of ${rejected} is corrected`)).toBeVisible();
    await expect(correction).toHaveCount(0);
    await expect(row(rejected)).toHaveCount(1);
    await expect(row(rejected).getByRole('button', { name: 'Correct the record' })).toHaveCount(0);
    authority.mood = 'well';
    // The calls without an answer have made a pause. `tests/server/fiscal` is about the pace.
    await clinic.query(`update fiscal_senders set next_call_at = $1`, [new Date()]);
    const taken = () => authority.records.map((record) => [record.number, record.correction ?? null]);
    await expect.poll(taken, { timeout: 30_000 }).toEqual([
      [accepted, null],
      [waiting, null],
      [rejected, 'X'],
    ]);
    await page.getByLabel('State').selectOption('Accepted');
    await expect(row(rejected)).toHaveCount(1);
    expect(authority.faults).toEqual([]);

    // On a tablet held upright the chains are cards, few at first.
    await addChains(clinic, 5);
    await page.setViewportSize({ width: 820, height: 1180 });
    await page.reload();
    await page.getByRole('tab', { name: 'Chains' }).click();
    const cards = page.getByRole('list').filter({ hasText: 'Not checked' }).getByRole('listitem');
    await expect(cards).toHaveCount(4);
    await page.getByRole('button', { name: 'Show all' }).click();
    await expect(cards).toHaveCount(6);
  } finally {
    await destroy();
  }
});

test('a demo clinic and a domicile in the Basque Country cannot switch it on, and say why @long', async ({ desk }) => {
  const { page } = await desk('admin', '/admin/settings');
  await expect(page.getByRole('region', { name: 'VERI*FACTU', exact: true })).toHaveCount(0);
  await page.getByLabel('Tax profile').selectOption('ES');
  const section = page.getByRole('region', { name: 'VERI*FACTU', exact: true });
  await expect(section.getByText(/This is a demo clinic/)).toBeVisible();
  await expect(section.getByLabel('On from')).toHaveAttribute('readonly', '');
  await page.getByLabel('Postal code').fill('48001');
  await expect(section.getByLabel('On from')).toHaveAttribute('readonly', '');
  await page.goto('/admin/fiscal');
  await expect(page.getByRole('heading', { name: 'Fiscal records', level: 1 })).toBeVisible();
  await expect(page.getByRole('region', { name: 'Sending to the tax agency' })).toHaveCount(0);
});

test('the book of invoices shows its sums and what waits for an invoice, and comes as a file for the adviser @long', async ({
  newTablet,
}) => {
  test.slow();
  const { clinic, destroy } = await startFiscalClinic();
  try {
    const product = await clinic.api<{ data: { id: number } }>('/products', { name: 'Corona', price, tax: 'E1' });
    const number = await sell(clinic, product.data.id);
    const order_id = newId();
    await clinic.api('/orders', { order_id, items: [{ line_id: newId(), product_id: product.data.id, quantity: 1 }] });
    await clinic.query(
      `update orders set business_day = business_day - 40, created_at = created_at - interval '40 days' where id = $1`,
      [order_id],
    );
    const office = await newTablet(clinic);
    await office.signIn('admin');
    const { page } = office;
    await page.goto('/admin/reports?tab=book');
    await expect(page.getByRole('tab', { name: 'Invoice book' })).toHaveAttribute('aria-selected', 'true');
    const sums = page.getByRole('region', { name: '1 document' });
    await expect(sums.getByText('EUR 60,00').filter({ visible: true }).first()).toBeVisible();
    const late = page.getByText('Term over').filter({ visible: true });
    await expect(late).toBeVisible();
    await expectAccessibleInBothSchemes(page);
    await page.setViewportSize({ width: 390, height: 844 });
    await expect(late).toBeVisible();
    const isWider = await page.evaluate(() => document.documentElement.scrollWidth > innerWidth);
    expect(isWider).toBe(false);
    const download = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Export', exact: true }).click();
    await page.getByRole('button', { name: 'CSV' }).click();
    const file = await download;
    expect(file.suggestedFilename()).toMatch(/^invoice_book_.*\.csv$/);
    const rows = readFileSync(await file.path(), 'utf8')
      .trim()
      .split('\r\n');
    expect(rows).toHaveLength(2);
    expect(rows[1]).toContain(number);
  } finally {
    await destroy();
  }
});
