/** A clinic with VERI*FACTU: its papers can be read from a photograph, and a day without a network is sent in the end. */
import type { Browser, BrowserContext, Locator, Page } from '@playwright/test';
import { businessDay } from '#domain/business-day.ts';
import { defaultSettings, paperWidths } from '#domain/settings/settings.ts';
import type { PaperWidth } from '#domain/settings/settings.ts';
import { makeCertificate } from '../support/client-certificate.ts';
import { issuer, startFiscalClinic } from '../support/fiscal-clinic.ts';
import type { FiscalClinic } from '../support/fiscal-clinic.ts';
import { photographed, printedPages, readCode } from '../support/photograph.ts';
import { printedBy, processPayment } from '../support/tablet.ts';
import type { Tablet } from '../support/tablet.ts';
import { expect, test as base } from './fixtures.ts';
import { countTaps } from './taps.ts';

const test = base.extend<object, { fiscal: FiscalClinic }>({
  fiscal: [
    // oxlint-disable-next-line no-empty-pattern -- Playwright reads the fixtures that a fixture needs from this pattern.
    async ({}, use) => {
      const fiscal = await startFiscalClinic();
      await use(fiscal);
      await fiscal.destroy();
    },
    { scope: 'worker' },
  ],
});

declare global {
  interface Window {
    /** The width of the QR code in pixels when the print dialog opened; 0 without it or without the styles of the paper. */
    codeAtPrint?: number;
  }
}

/** Notes what a page shows when it prints. */
const watchPrinting = (context: BrowserContext) =>
  context.addInitScript(() => {
    window.print = () => {
      const code = document.querySelector('.paper-qr');
      const isStyled = code !== null && getComputedStyle(code).display === 'block';
      window.codeAtPrint = isStyled ? code.getBoundingClientRect().width : 0;
      window.printed = (window.printed ?? 0) + 1;
    };
  });

const longName = (begin: string): string =>
  `${begin} ${'de todos los Santos y Álvarez de Toledo '.repeat(2)}`.slice(0, 60);
const recipient = {
  Name: longName('María del Carmen'),
  NIF: '12345678Z',
  Address: longName('Avenida de la Constitución'),
  'Postal code': '28013',
  City: 'San Lorenzo de El Escorial',
};

async function answerRecipient(page: Page): Promise<void> {
  const asked = page.getByRole('dialog', { name: 'Full invoice' });
  for (const [label, value] of Object.entries(recipient)) await asked.getByLabel(label, { exact: true }).fill(value);
  await asked.getByRole('button', { name: 'Full invoice' }).click();
}

/** Pays by card what is open, after the recipient was asked for where the amount asks for one. */
async function pay(page: Page, { isFull }: { isFull: boolean }): Promise<Page> {
  const card = page.getByRole('button', { name: /^(Card|Tarjeta)$/ });
  await card.click();
  return printedBy(page, async () => {
    await page.getByRole('button', { name: /^(Process Payment|Procesar pago|Cobrar)$/ }).click();
    if (isFull) await answerRecipient(page);
  });
}

const numberOn = async (printed: Page): Promise<string> =>
  (await printed
    .getByText(/^(INV|F|R|RF)-[A-Z]+\d-\d{6}$/)
    .first()
    .textContent())!.trim();

async function refund(page: Page, number: string): Promise<Page> {
  await page.getByRole('button', { name: 'Recent sales', exact: true }).click();
  await page.getByRole('button', { name: `Refund ${number}` }).click();
  const dialog = page.getByRole('dialog', { name: 'Refund' });
  await dialog.getByLabel('Reason').fill('The patient does not want it');
  return printedBy(page, () => dialog.getByRole('button', { name: /^Refund EUR/ }).click());
}

/** Returns the amount that a document is of, as the tax agency writes it. */
async function totalOn(printed: Page): Promise<string> {
  const text = await printed.locator('.paper-total > span').last().textContent();
  const amount = Number(text!.replaceAll(/[^\d,]/g, '').replace(',', '.'));
  return (/^(R|RF)-/.test(await numberOn(printed)) ? -amount : amount).toFixed(2);
}

const millimetres = (pixels: number): number => (pixels / 96) * 25.4;

/** Returns the dark modules of the code, by row, without its margin. */
async function modulesOf(code: Locator): Promise<boolean[][]> {
  const [size, path] = await code.evaluate((svg) => [
    Number(svg.getAttribute('viewBox')!.split(' ')[2]),
    svg.firstElementChild!.getAttribute('d')!,
  ]);
  const margin = 4;
  const rows = Array.from({ length: size - 2 * margin }, () => Array.from({ length: size - 2 * margin }, () => false));
  for (const [, x, y] of path.matchAll(/M(\d+) (\d+)h1v1h-1z/g)) rows[Number(y) - margin]![Number(x) - margin] = true;
  return rows;
}

/** Checks the code of a paper: what it says, its size and place, and that it was there when the print dialog opened. */
async function expectCode(browser: Browser, printed: Page, width: PaperWidth): Promise<void> {
  await expect.poll(() => printed.evaluate(() => window.printed)).toBe(1);
  const widthAtPrint = await printed.evaluate(() => window.codeAtPrint!);
  const code = printed.locator('.paper-qr');
  await expect(code).toHaveCount(1);
  const modules = await modulesOf(code);
  const symbolMm = (millimetres(widthAtPrint) * modules.length) / (modules.length + 8);
  expect(symbolMm).toBeGreaterThanOrEqual(30);
  expect(symbolMm).toBeLessThanOrEqual(40);
  // The first bits of the format are those of error correction M.
  expect(modules[8]!.slice(0, 2)).toEqual([true, false]);
  const before = await code.evaluate((svg) => svg.previousElementSibling!.textContent);
  const after = await code.evaluate((svg) => svg.nextElementSibling!.textContent);
  expect([before, after]).toEqual(['QR tributario:', 'VERI*FACTU']);
  await expect(printed.getByText('VERI*FACTU', { exact: true })).toHaveCount(1);
  const boxOf = async (of: Locator) => (await of.boundingBox())!;
  const [head, paper, box] = await Promise.all(
    [printed.locator('.paper-rule').first(), printed.locator('.paper'), code].map(boxOf),
  );
  expect(box!.y).toBeLessThan(head!.y);
  expect(box!.x).toBeGreaterThanOrEqual(paper!.x);
  expect(box!.x + box!.width).toBeLessThanOrEqual(paper!.x + paper!.width);

  const query = new URLSearchParams({
    nif: issuer.tax_id,
    numserie: await numberOn(printed),
    fecha: businessDay(Date.now(), defaultSettings.time_zone).split('-').toReversed().join('-'),
    importe: await totalOn(printed),
  });
  const url = `https://www2.agenciatributaria.gob.es/wlpl/TIKE-CONT/ValidarQR?${query.toString()}`;
  const pages = await printedPages(browser, printed);
  if (width !== 'A4') expect(pages).toHaveLength(1);
  expect(await readCode(await photographed(pages[0]!))).toBe(url);
  const screen = await printed.screenshot({ scale: 'device', fullPage: true });
  expect(await readCode(screen)).toBe(url);
  for (const further of pages.slice(1)) expect(await readCode(further)).toBeUndefined();
}

/** Waits until the tablet has the clinic's width of paper. */
async function useWidth(tablet: Tablet, width: PaperWidth): Promise<void> {
  await tablet.clinic.api('/settings', { paper_width: width }, 'PUT');
  const known = () =>
    tablet.page.evaluate(async () => {
      const opening = indexedDB.open('dental-counter');
      const db = await new Promise<IDBDatabase>((resolve) => (opening.onsuccess = () => resolve(opening.result)));
      const request = db.transaction('settings').objectStore('settings').get('this');
      const row = await new Promise<any>((resolve) => (request.onsuccess = () => resolve(request.result)));
      db.close();
      return row.settings.paper_width as string;
    });
  await expect.poll(known, { timeout: 30_000 }).toBe(width);
}

test('the code of each paper can be read from a photograph, also with long names and many lines @long', async ({
  browser,
  newTablet,
  fiscal: { clinic },
}) => {
  test.setTimeout(180_000);
  const products = [
    { name: longName('Corona de zirconio'), price: 620 },
    { name: longName('Cepillo eléctrico'), price: 48.4, tax: 'standard' },
  ];
  for (const product of products) await clinic.api('/products', product, 'POST');
  await clinic.api('/settings', { practice_name: longName('Clínica Dental') }, 'PUT');
  const tablet = await newTablet(clinic);
  const { page, context } = tablet;
  await watchPrinting(context);
  await tablet.signIn('manager');
  for (const { name } of products) {
    await page.getByRole('searchbox').fill(name.slice(0, 20));
    await tablet.service(name.slice(0, 20)).click();
  }
  await page.getByRole('searchbox').fill('');
  const tiles = page.locator('[data-tile]');
  for (let tile = 0; tile < Math.min(24, await tiles.count()); tile++) await tiles.nth(tile).click();
  // Two of one service have a row for the quantity.
  await tiles.first().click();
  await tablet.nameCustomer(longName('Inés'));
  await page.getByRole('button', { name: 'Create and take payment' }).click();
  const invoice = await pay(page, { isFull: true });
  const number = await numberOn(invoice);
  expect(number).toMatch(/^F-/);
  await expectCode(browser, invoice, '80mm');
  await invoice.close();
  await page.getByRole('button', { name: 'Recent sales', exact: true }).click();
  for (const width of paperWidths) {
    await useWidth(tablet, width);
    const copy = await printedBy(page, () => page.getByRole('button', { name: `Reprint ${number}` }).click());
    await expectCode(browser, copy, width);
    await copy.close();
  }
  await page.keyboard.press('Escape');
  const note = await refund(page, number);
  expect(await numberOn(note)).toMatch(/^RF-/);
  await expect(note.getByText(new RegExp(`${number} \\(`))).toBeVisible();
  await expectCode(browser, note, 'A4');
  await note.close();

  await useWidth(tablet, '58mm');
  await tablet.useLanguage('sp');
  await tablet.counterReady();
  await page
    .getByRole('button', { name: /^(Añadir|Agregar|Añade)/ })
    .first()
    .click();
  await page.getByRole('button', { name: /^Crear y cobrar/ }).click();
  const simplified = await pay(page, { isFull: false });
  await expect(simplified.getByText('Factura simplificada', { exact: true })).toBeVisible();
  await expectCode(browser, simplified, '58mm');
});

test('the simple sale stays at three taps', async ({ newTablet, fiscal: { clinic, expectAllAccepted } }) => {
  const tablet = await newTablet(clinic);
  await tablet.signIn('counter');
  const effort = await countTaps(tablet.page, async () => {
    await tablet.service('Dental cleaning').click();
    await tablet.page.getByRole('button', { name: 'Create and take payment' }).click();
    await processPayment(tablet.page);
  });
  expect(effort).toEqual({ taps: 3, keys: 0 });
  // A tablet that closes before its sale has arrived whole leaves a record that waits for its document.
  const recorded = () => clinic.query<{ number: string }>('select number from fiscal_records');
  await expect.poll(recorded).not.toEqual([]);
  await expectAllAccepted((await recorded()).map(({ number }) => number));
});

test('a day without a network: each document carries its code, and the agency has each of them in the end', async ({
  newTablet,
  fiscal: { clinic, authority, expectAllAccepted },
}) => {
  test.setTimeout(120_000);
  const tablet = await newTablet(clinic);
  const { page } = tablet;
  await tablet.signIn('manager');
  await tablet.loseNetwork();
  const numbers: string[] = [];
  const numbersAtAgency = () => authority.records.map(({ number }) => number);
  const take = async (printed: Page): Promise<string> => {
    await expect(printed.locator('.paper-qr')).toHaveCount(1);
    await expect(printed.getByText('VERI*FACTU', { exact: true })).toBeVisible();
    numbers.push(await numberOn(printed));
    await printed.close();
    return numbers.at(-1)!;
  };
  await tablet.openPayment('Dental cleaning');
  const simplified = await take(await pay(page, { isFull: false }));
  expect(simplified).toMatch(/^INV-/);
  await page.getByRole('tab', { name: 'Create treatment' }).click();
  // The grid has only the tiles in view, and the sales of the other tests decide which these are.
  await page.getByRole('searchbox').fill('Ceramic crown');
  await tablet.openPayment('Ceramic crown');
  expect(await take(await pay(page, { isFull: true }))).toMatch(/^F-/);
  expect(await take(await refund(page, simplified))).toMatch(/^R-/);
  expect(numbersAtAgency().filter((number) => numbers.includes(number))).toEqual([]);
  await tablet.context.setOffline(false);
  await expect.poll(numbersAtAgency, { timeout: 60_000 }).toEqual(expect.arrayContaining(numbers));
  const sold = await clinic.query<{ number: string }>('select number from fiscal_records');
  expect(sold.map(({ number }) => number)).toEqual(expect.arrayContaining(numbers));
  await expectAllAccepted(sold.map(({ number }) => number));
});

/** Returns the labels of the fields of a dialog that nothing is filled in. */
const askedFor = (dialog: Locator): Promise<string[]> =>
  dialog
    .locator('input, select')
    .evaluateAll((fields) =>
      fields
        .filter((field) => (field as HTMLInputElement | HTMLSelectElement).value === '')
        .map((field) => (field as HTMLInputElement).labels?.[0]?.textContent?.trim() ?? ''),
    );

test('a tourist without a NIF pays 620 euros by card, offline for 50 minutes @long', async ({
  newTablet,
  fiscal: { clinic, authority, expectAllAccepted },
}) => {
  test.setTimeout(120_000);
  await clinic.api('/products', { name: 'Crown of zirconia', price: 620 }, 'POST');
  const tablet = await newTablet(clinic);
  const { page } = tablet;
  await tablet.signIn('counter');
  await page.getByRole('searchbox').fill('Crown of zirconia');
  await expect(tablet.service('Crown of zirconia')).toBeVisible();
  await tablet.nameCustomer('Camille Dupont');
  await tablet.loseNetwork();
  // The sale is made 50 minutes before the network is back.
  const outageMs = 50 * 60_000;
  await page.clock.setSystemTime(Date.now() - outageMs);
  let printed: Page;
  let asked: string[] = [];
  const effort = await countTaps(page, async () => {
    await tablet.service('Crown of zirconia').click();
    await page.getByRole('button', { name: 'Create and take payment' }).click();
    await page.getByRole('button', { name: 'Card', exact: true }).click();
    await page.getByRole('button', { name: 'Process Payment' }).click();
    const dialog = page.getByRole('dialog', { name: 'Full invoice' });
    await dialog.getByRole('button', { name: 'No NIF' }).click();
    asked = await askedFor(dialog);
    await dialog.getByLabel('Country').selectOption('FR');
    await dialog.getByLabel('Number of the document').click();
    await dialog.getByLabel('Number of the document').pressSequentially('19FK45721');
    await dialog.getByLabel('Address', { exact: true }).click();
    await dialog.getByLabel('Address', { exact: true }).pressSequentially('12 rue Victor Hugo, 69002 Lyon');
    printed = await printedBy(page, () => dialog.getByRole('button', { name: 'Full invoice' }).click());
  });
  expect(asked).toEqual(['Country', 'Number of the document', 'Address']);
  // Service, treatment, card, payment, no NIF, the country (2), the two other fields, and the invoice.
  expect(effort.taps).toBe(10);

  for (const text of ['Camille Dupont', '19FK45721', 'Invoice', 'VERI*FACTU'])
    await expect(printed!.getByText(text, { exact: true }).first()).toBeVisible();
  await expect(printed!.getByText('12 rue Victor Hugo, 69002 Lyon, FR')).toBeVisible();
  await expect(printed!.locator('.paper-qr')).toHaveCount(1);
  const number = await numberOn(printed!);
  expect(number).toMatch(/^F-/);
  await page.clock.setSystemTime(Date.now());
  await tablet.context.setOffline(false);
  const records = () => authority.records.filter((record) => record.number === number);
  await expect.poll(() => records().length, { timeout: 60_000 }).toBe(1);
  const [stored] = await clinic.query<{ record: { fields: { generated_at: string; [field: string]: unknown } } }>(
    'select record from fiscal_records where number = $1',
    [number],
  );
  const { fields } = stored!.record;
  expect(fields).toMatchObject({
    type: 'F1',
    total: '620.00',
    recipient: { name: 'Camille Dupont', tax_id: '19FK45721', id_type: '03', country: 'FR' },
  });
  expect(Date.now() - Date.parse(fields.generated_at)).toBeGreaterThan(outageMs - 60_000);
  // Accepted without errors, as late as it is.
  const all = await clinic.query<{ number: string }>('select number from fiscal_records');
  await expectAllAccepted(all.map((each) => each.number));
});

test('a clinic that is bound and has not begun takes money offline with a receipt, and invoices it once it begins @long', async ({
  newTablet,
}) => {
  test.setTimeout(120_000);
  const { clinic, expectAllAccepted, destroy } = await startFiscalClinic({ isOn: false });
  try {
    await clinic.api('/settings', { books_by_sii: false }, 'PUT');
    await clinic.api('/products', { name: 'Crown of zirconia', price: 620 }, 'POST');
    const tablet = await newTablet(clinic);
    const { page } = tablet;
    await tablet.signIn('admin');
    await page.getByRole('searchbox').fill('Crown of zirconia');
    await tablet.openPayment('Crown of zirconia');
    await tablet.loseNetwork();
    await expect(page.getByText('the patient gets a receipt, and the invoice waits')).toBeVisible();
    await expect(page.getByRole('button', { name: 'Invoice now' })).toHaveCount(0);
    const receipt = await pay(page, { isFull: false });
    await expect(receipt.getByText('EUR 620,00').first()).toBeVisible();
    await expect(receipt.getByText(/^(INV|F)-/)).toHaveCount(0);
    await receipt.close();
    await tablet.context.setOffline(false);
    await expect(tablet.pill).toContainText('Online', { timeout: 30_000 });

    await page.goto('/admin/settings');
    const section = page.getByRole('region', { name: 'VERI*FACTU', exact: true });
    await expect(section.getByText('No invoice is issued or corrected until VERI*FACTU begins.')).toBeVisible();
    await section.getByLabel('On from').fill(businessDay(Date.now(), defaultSettings.time_zone));
    await page.getByRole('button', { name: 'Save', exact: true }).first().click();
    await expect(page.getByText('Settings saved')).toBeVisible();
    await clinic.api('/fiscal/certificate', { pkcs12: certificate(), passphrase: 'open' }, 'PUT');
    await tablet.openOutbox();
    const waits = page.getByRole('listitem').filter({ hasText: 'Paid, not invoiced' });
    await waits.getByRole('button', { name: 'Invoice now' }).click();
    const invoice = await printedBy(page, () => answerRecipient(page));
    await expect(invoice.locator('.paper-qr')).toHaveCount(1);
    const number = await numberOn(invoice);
    expect(number).toMatch(/^F-/);
    await expectAllAccepted([number]);
  } finally {
    await destroy();
  }
});

const certificate = (): string => makeCertificate({ passphrase: 'open' }).pkcs12.toString('base64');
