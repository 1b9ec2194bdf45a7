import type { Page } from '@playwright/test';
import { inflateSync } from 'node:zlib';
import { invoiceNumber, printedBy, processPayment } from '../support/tablet.ts';
import { expect, test } from './fixtures.ts';

const pointsPerMm = 72 / 25.4;

/** Returns the size of each page in millimetres, read from the PDF's page tree and its object streams. */
async function pageSizes(printed: Page): Promise<{ width: number; height: number }[]> {
  const pdf = await printed.pdf({ preferCSSPageSize: true });
  const text = pdf.toString('latin1');
  const streams = [...text.matchAll(/stream\r?\n([\s\S]*?)endstream/g)].map(([, body]) => {
    try {
      return inflateSync(Buffer.from(body!, 'latin1')).toString('latin1');
    } catch {
      return '';
    }
  });
  const boxes = [text, ...streams].flatMap((part) => [...part.matchAll(/\/MediaBox\s*\[\s*([\d.\s-]+)\]/g)]);
  return boxes.map(([, box]) => {
    const [left, bottom, right, top] = box!.trim().split(/\s+/).map(Number) as [number, number, number, number];
    return { width: (right - left) / pointsPerMm, height: (top - bottom) / pointsPerMm };
  });
}

test('an invoice without a network has the styles and the page of the paper', async ({ newTablet }) => {
  const tablet = await newTablet();
  await tablet.signIn();
  await tablet.loseNetwork();
  const invoice = await tablet.sellForCash();
  await expect.poll(() => invoice.evaluate(() => window.printed)).toBe(1);
  await expect(invoice.locator('.paper')).toHaveCSS('padding', /^15\.1/);
  const [size] = await pageSizes(invoice);
  expect(size!.width).toBeCloseTo(80, 0);
});

test('the invoice prints on one page of 80 mm with every line of the sale', async ({ tabletOf }) => {
  const tablet = await tabletOf('counter');
  const { page } = tablet;
  await tablet.openCounter();
  for (const name of ['Dental cleaning', 'Ceramic crown', 'Bone graft']) {
    // The grid has only the tiles in view, and earlier sales decide which these are.
    await page.getByRole('searchbox').fill(name);
    await tablet.service(name).click();
  }
  await tablet.nameCustomer('María del Carmen Fernández-Villaverde y Álvarez de Toledo');
  await page.getByRole('button', { name: 'Create and take payment' }).click();
  await page.getByLabel('Amount', { exact: true }).fill('900');
  const opened = Date.now();
  const invoice = await processPayment(page);
  await expect.poll(() => invoice.evaluate(() => window.printed)).toBe(1);
  expect(Date.now() - opened).toBeGreaterThanOrEqual(450);

  const text = await invoice.locator('body').innerText();
  const expected = [
    'Dental cleaning',
    'Ceramic crown',
    'Bone graft',
    'EUR 60,00',
    'EUR 420,00',
    'EUR 380,00',
    'EUR 860,00',
    'EUR 900,00',
    'EUR 40,00',
    'María del Carmen Fernández-Villaverde y Álvarez de Toledo',
    'Thank you for choosing our dental practice!',
    'Visit again soon!',
    await invoiceNumber(invoice),
  ];
  for (const each of expected) expect(text).toContain(each);
  // Figures of one width are for amounts: a number's hyphens would get their width too.
  await expect(invoice.getByText('EUR 900,00', { exact: true })).toHaveCSS('font-variant-numeric', 'tabular-nums');
  await expect(invoice.getByText(/^INV-/)).toHaveCSS('font-variant-numeric', 'normal');

  const sizes = await pageSizes(invoice);
  expect(sizes).toHaveLength(1);
  expect(sizes[0]!.width).toBeCloseTo(80, 0);
  const contentMm =
    (await invoice.evaluate(() => document.body.firstElementChild!.getBoundingClientRect().height)) / (96 / 25.4);
  expect(sizes[0]!.height).toBeGreaterThanOrEqual(contentMm - 1);
  expect(sizes[0]!.height).toBeLessThan(contentMm + 30);
});

test('a reprint is marked as a copy and keeps its number', async ({ tabletOf }) => {
  const tablet = await tabletOf('counter');
  const { page } = tablet;
  await tablet.openCounter();
  const first = await tablet.sellForCash();
  const number = await invoiceNumber(first);
  await first.close();
  await page.getByRole('button', { name: 'Recent sales', exact: true }).click();
  const copy = await printedBy(page, () => page.getByRole('button', { name: `Reprint ${number}` }).click());
  await expect(copy.getByText('COPY')).toBeVisible();
  expect(await invoiceNumber(copy)).toBe(number);
});

test('the app prints in its own window when the browser blocks new windows', async ({ tabletOf }) => {
  const tablet = await tabletOf('counter');
  const { page } = tablet;
  await tablet.openCounter();
  await page.evaluate(() => {
    window.open = () => null;
  });
  await tablet.service('Dental cleaning').click();
  await page.getByRole('button', { name: 'Create and take payment' }).click();
  await page.getByRole('button', { name: 'Process Payment' }).click();
  await expect.poll(() => page.evaluate(() => window.printed)).toBe(1);
  expect(await page.locator('#print-root').textContent()).toMatch(/INV-[A-Z]+\d-\d{6}/);
});

test('a failed print is reported, and the sale stands @long', async ({ tabletOf }) => {
  const tablet = await tabletOf('counter');
  const { page } = tablet;
  await tablet.openCounter();
  await page.evaluate(() => {
    const broken = {
      close: () => undefined,
      get document(): Document {
        throw new Error('The window is gone');
      },
    };
    window.open = () => broken as unknown as Window;
  });
  await tablet.service('Dental cleaning').click();
  await page.getByRole('button', { name: 'Create and take payment' }).click();
  await page.getByRole('button', { name: 'Process Payment' }).click();
  await expect(page.getByText('Failed to generate receipt. Please try again.')).toBeVisible();
  await page.getByRole('button', { name: 'Recent sales', exact: true }).click();
  await expect(page.getByRole('button', { name: /^Reprint INV-/ }).first()).toBeVisible();
});
