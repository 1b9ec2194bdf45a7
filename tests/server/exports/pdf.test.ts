import { getDocument, OPS } from 'pdfjs-dist/legacy/build/pdf.mjs';
import type { PDFDocumentProxy } from 'pdfjs-dist';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { shownPart } from '#server/modules/exports/pdf-table.ts';
import { insertUpload } from '#server/modules/uploads/store.ts';
import { BackOffice } from '../stock/clinic.ts';
import { fillTreatments } from './treatments.ts';

const nowMs = Date.parse('2026-06-30T10:00:00Z');
const count = 120;
let office: BackOffice;

beforeAll(async () => {
  office = await BackOffice.open({ now: nowMs });
  const { clinicId, database } = office.server;
  const practice = {
    practice_name: 'Clínica Dental Núñez',
    address: 'Calle Mayor 1, 28013 Madrid',
    phone: '+34 910 000 000',
    email: 'hola@nunez.test',
  };
  await office.rows('update settings set data = data || $2::jsonb where clinic_id = $1', [
    clinicId,
    JSON.stringify(practice),
  ]);
  await fillTreatments(database.$client, { clinicId, count, firstDay: '2026-03-01', perDay: 10 });
  const names = [
    'Łukasz Żółć',
    'María José Fernández-Castellanos de la Torre y Gutiérrez',
    'Ελένη Παπαδοπούλου',
    'Дмитрий Ковалёв',
    '王小明 Wang',
    'Zoë 😀',
    'a\u0000b'.replace('\u0000', ' '),
    'محمد بن سعيد',
    'דוד בן גוריון',
    'Omar سعيد',
  ];
  for (const [n, name] of names.entries())
    await office.rows(`update orders set customer_name = $2 where clinic_id = $1 and number = $3`, [
      clinicId,
      name,
      `T-B1-${String(count - n).padStart(6, '0')}`,
    ]);
  const long = Array.from({ length: 30 }, (_, n) => `Very long name of a service ${n}`).join(' ');
  await office.rows(
    `update order_lines set name = $1 where position = 1 and order_id in (select id from orders where number = 'T-B1-000111')`,
    [long.slice(0, 200)],
  );
});
afterAll(() => office.server.close());

const exported = (body: object = {}) => office.call('POST', '/reports/sales/export/pdf', body);

async function open(body: object = {}): Promise<PDFDocumentProxy> {
  const reply = await exported(body);
  expect(reply.statusCode, reply.body.slice(0, 300)).toBe(200);
  return getDocument({ data: new Uint8Array(reply.rawPayload), useSystemFonts: false, verbosity: 0 }).promise;
}

/** Returns the text of each page in the order of its drawing. */
async function textOf(document: PDFDocumentProxy): Promise<string[]> {
  const pages = Array.from({ length: document.numPages }, async (_, index) => {
    const { items } = await (await document.getPage(index + 1)).getTextContent();
    return items
      .map((item) => ('str' in item ? item.str : ''))
      .filter((text) => text.trim() !== '')
      .join('|');
  });
  return Promise.all(pages);
}

describe('a PDF export', () => {
  test('has the clinic’s header and the filters, and repeats page number and table header on each A4 page', async () => {
    const document = await open({ startDate: '2026-03-01', endDate: '2026-06-30', orderType: 'walk_in' });
    const pages = await textOf(document);
    expect(pages.length).toBeGreaterThan(2);
    expect((await document.getPage(1)).view.map(Math.round)).toEqual([0, 0, 842, 595]);
    for (const fact of [
      'Clínica Dental Núñez',
      'Calle Mayor 1, 28013 Madrid',
      '+34 910 000 000 · hola@nunez.test',
      'Sales report',
      '1 Mar 2026 to 30 Jun 2026',
      'Type: Walk-In',
      'Made on 30/06/2026 12:00',
    ]) {
      expect(pages[0]).toContain(fact);
    }
    for (const [index, page] of pages.entries()) {
      expect(page).toContain('Treatment|Date and time|Type|Status|Patient|Services|Total|Paid|Refunded');
      expect(page).toContain(`Page ${index + 1} of ${pages.length}`);
    }
    const meta = (await document.getMetadata()).info as Record<string, unknown>;
    expect(meta).toMatchObject({ Title: 'Sales report', Author: 'Clínica Dental Núñez' });
  });

  test('contains every treatment once, and the totals', async () => {
    const pages = await textOf(await open());
    const numbers = pages.flatMap((page) => page.match(/T-B1-\d{6}/g) ?? []);
    expect(numbers).toHaveLength(count);
    expect(new Set(numbers).size).toBe(count);
    // 120 of 90.50; every tenth unpaid.
    expect(pages.at(-1)).toContain('|Total|EUR 10.860,00|EUR 9.774,00|EUR 0,00');
    expect(pages[0]).toContain('Treatments|120|Total|EUR 10.860,00|Paid|EUR 9.774,00|Refunded|EUR 0,00');
    expect(pages[0]).toContain(
      'T-B1-000120|12/03/2026 10:00|Walk-In|Completed|Łukasz Żółć|Dental cleaning, 2 × X-ray|EUR 90,50|EUR 90,50|EUR 0,00',
    );
  });

  test('states cancelled treatments and other currencies apart, at the beginning and the end', async () => {
    const numbered = (first: number, last: number) => `number between 'T-B1-0000${first}' and 'T-B1-0000${last}'`;
    await office.rows(`update orders set status = 'cancelled' where ${numbered(12, 15)}`);
    await office.rows(`update orders set currency = 'LKR' where ${numbered(15, 17)}`);
    const [english, spanish] = [await textOf(await open()), await textOf(await open({ language: 'sp' }))];
    const only = await textOf(await open({ status: 'cancelled' }));
    await office.rows(`update orders set status = 'completed', currency = 'EUR' where ${numbered(12, 17)}`);
    // 120 of 90.50, less four cancelled and two in rupees; every tenth unpaid.
    expect(english.at(-1)).toContain(
      '|Total|EUR 10.317,00|EUR 9.231,00|EUR 0,00|Cancelled (3)|EUR 271,50|EUR 271,50|EUR 0,00' +
        '|Total in Rs (2)|Rs 181,00|Rs 181,00|Rs 0,00|Cancelled, in Rs (1)|Rs 90,50|Rs 90,50|Rs 0,00',
    );
    // The typeface kerns a comma after 7, so the PDF has the amount in two parts.
    expect(english[0]!.replaceAll('|,', ',')).toContain(
      'Treatments|114|Cancelled (3)|Total in Rs (2)|Cancelled, in Rs (1)|Total|EUR 10.317,00|EUR 271,50|Rs 181,00|Rs 90,50',
    );
    expect(spanish.at(-1)).toContain('|Cancelados (3)|EUR 271,50');
    expect(spanish.at(-1)).toContain('|Total en Rs (2)|Rs 181,00');
    expect(only[0]).toContain('Treatments|Cancelled (3)|Cancelled, in Rs (1)|Total|EUR 271,50|Rs 90,50');
    expect(only[0]).toMatch(/\|Cancelled \(3\)\|EUR 271,50\|EUR 271,50\|EUR 0,00\|Cancelled, in Rs \(1\)\|Rs 90,50/);
  });

  test('prints every name in characters of the typeface, never as a box', async () => {
    const [page = ''] = await textOf(await open());
    // The dots of Arabic letters are signs of their own, which stand for no letter.
    const letters = page.replace(/\p{Cc}/gu, '').replace(/ +/g, ' ');
    for (const name of [
      'Łukasz Żółć',
      'Ελένη Παπαδοπούλου',
      'Дмитрий Ковалёв',
      '??? Wang',
      'Zoë ?',
      'محمد بن سعيد',
      'דוד בן גוריון',
      'Omar ????',
    ])
      expect(letters).toContain(name);
    for (const box of ['\uFFFD', '\u0000']) expect(page).not.toContain(box);
  });

  test('says what question marks are for, on the last page and only where there are some', async () => {
    const note = 'A question mark stands for a letter that this file cannot show. The Excel file has it.';
    const pages = await textOf(await open());
    expect(pages.map((page) => page.includes(note))).toEqual(pages.map((_, index) => index === pages.length - 1));
    const latin = await textOf(await open({ searchTerm: 'Łukasz' }));
    expect(latin.join('')).toContain('Łukasz Żółć');
    expect(latin.join('')).not.toContain(note);
  });

  test('is available in Spanish', async () => {
    const pages = await textOf(await open({ language: 'sp', startDate: '2026-03-12', endDate: '2026-03-12' }));
    expect(pages).toHaveLength(1);
    for (const text of [
      'Informe de ventas',
      '12 mar 2026',
      'Tratamiento|Fecha y hora|Tipo|Estado|Paciente|Servicios|Total|Pagado|Devuelto',
      'Página 1 de 1',
      'Sin cita',
    ])
      expect(pages[0]).toContain(text);
  });

  test('shows the logo of the clinic, and its name once below it', async () => {
    const { clinicId, database } = office.server;
    const picture = { create: { width: 300, height: 100, channels: 3, background: '#c33' } } as const;
    const id = await insertUpload(database.$client, {
      clinicId,
      purpose: 'picture',
      mediaType: 'image/webp',
      content: await sharp(picture).webp().toBuffer(),
      uploadedBy: 1,
      createdAtMs: nowMs,
    });
    const use = (logo_url: string) =>
      office.rows('update settings set data = data || $2::jsonb where clinic_id = $1', [
        clinicId,
        JSON.stringify({ logo_url }),
      ]);
    await use(`/uploads/${clinicId}/${id}.webp`);
    const document = await open({ endDate: '1999-01-01' });
    await use('');
    const page = await document.getPage(1);
    const { fnArray } = await page.getOperatorList();
    expect(fnArray).toContain(OPS.paintImageXObject);
    const [text = ''] = await textOf(document);
    // The foot of the page names it with the report.
    expect(text.split('|').filter((part) => part === 'Clínica Dental Núñez')).toHaveLength(1);
  });

  test('states that nothing matches when nothing does', async () => {
    const pages = await textOf(await open({ endDate: '1999-01-01' }));
    expect(pages).toHaveLength(1);
    expect(pages[0]).toContain('No treatments match these filters.');
  });

  test('is refused for more than 5,000 treatments, and the message names the alternative', async () => {
    const { clinicId, database } = office.server;
    await fillTreatments(database.$client, {
      clinicId,
      count: 5_001,
      firstDay: '2025-01-01',
      perDay: 5_001,
      series: 'T-C1-',
    });
    const refused = await exported({ endDate: '2025-12-31' });
    expect([refused.statusCode, refused.json()]).toMatchObject([
      422,
      { code: 'EXPORT_TOO_LONG', details: { limit: 5000, found: 5001 } },
    ]);
    expect(refused.json().message).toContain('export to Excel');
  });

  test('prints the numbers of a taxpayer, which have four letters, as a whole', async () => {
    const { clinicId, database } = office.server;
    const day = { firstDay: '2027-05-01', perDay: 2 };
    await fillTreatments(database.$client, { clinicId, count: 2, ...day, series: 'T-WMWM8-' });
    const [page = ''] = await textOf(await open({ startDate: '2027-05-01' }));
    expect(page.match(/T-WMWM8-\d{6}/g)).toEqual(['T-WMWM8-000002', 'T-WMWM8-000001']);
  });
});

test.each([
  ['x'.repeat(600), 600],
  ['x'.repeat(601), 600],
  [`x${'😀'.repeat(20_000)}`, 301],
])('lays out no more of a text than a row can show', (text, length) => {
  const shown = shownPart(text);
  expect([Array.from(shown).length, /\p{Surrogate}/u.test(shown)]).toEqual([length, false]);
});
