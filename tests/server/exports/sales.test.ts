import { strFromU8, unzipSync } from 'fflate';
import readSheets from 'read-excel-file/node';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { escaped } from '#server/modules/exports/workbook-cells.ts';
import { rowsPerSheet, Workbook } from '#server/modules/exports/workbook.ts';
import { newId } from '#tests/support/unique.ts';
import { BackOffice } from '../stock/clinic.ts';
import { fillTreatments } from './treatments.ts';

/** It is 01:30 on 2 March in Madrid. */
const nowMs = Date.parse('2026-03-02T00:30:00Z');
let office: BackOffice;
let cleaning: number;

beforeAll(async () => {
  office = await BackOffice.open({ now: nowMs });
  await office.rows(
    `update settings set data = data || '{"practice_name":"Clínica Ñandú","address":"Calle Mayor 1","phone":"+34 910 000 000"}' where clinic_id = $1`,
    [office.server.clinicId],
  );
  cleaning = (await office.item({ name: 'Dental cleaning', cost_per_unit: 60.5 })).id;
  for (const customer of formulas) await treat(customer);
  await treat('Łukasz Núñez & <Söhne> "€"', { quantity: 2.5, refund: 20 });
  await treat('Ana', { isUnpaid: true });
});
afterAll(() => office.server.close());

const formulas = ['=HYPERLINK("http://x";"y")', '+34 600 000 000', '-1+1', '@SUM(A1)', '\t=1', '\r=1'];

async function treat(customer: string, { quantity = 1, isUnpaid = false, refund = 0 } = {}): Promise<void> {
  const created = await office.call('POST', '/orders', {
    items: [{ stock_id: cleaning, quantity }],
    customer_name: customer,
  });
  expect([customer, created.statusCode]).toEqual([customer, 201]);
  const { id } = created.json<{ data: { id: string } }>().data;
  if (isUnpaid) return;
  const paid = await office.call('POST', `/payments/orders/${id}/pay`, {
    payment_method: 'card',
    amount: quantity * 60.5,
  });
  expect(paid.statusCode, paid.body).toBeLessThan(300);
  if (refund > 0) {
    const given = await office.call('POST', `/orders/${id}/refunds`, {
      refund_id: newId(),
      amount: refund,
      reason: 'too much',
    });
    expect(given.statusCode, given.body).toBeLessThan(300);
  }
}

const exported = (body: object = {}) => office.call('POST', '/reports/sales/export/excel', body);
const sheetsOf = async (body: object = {}) => {
  const sheets = await readSheets((await exported(body)).rawPayload, { trim: false });
  return Object.fromEntries(sheets.map(({ sheet, data }) => [sheet, data]));
};
const at = (iso: string) => new Date(iso);

describe('an Excel export', () => {
  test('has a file name, and a response header with its row count', async () => {
    const reply = await exported();
    expect(reply.statusCode).toBe(200);
    expect(reply.headers).toMatchObject({
      'content-type': 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
      'content-disposition': 'attachment; filename="sales_report_2026-03-02.xlsx"',
      'x-total-rows': '8',
      'cache-control': 'no-store',
    });
    expect(reply.headers['content-encoding']).toBe(undefined);
  });

  test('has typed numbers, and dates in the clinic’s time zone', async () => {
    const { Treatments: [head, ...rows] = [] } = await sheetsOf();
    expect(head).toEqual([
      'Treatment',
      'Date and time',
      'Business day',
      'Type',
      'Status',
      'Patient',
      'Services',
      'Count',
      'Total',
      'Discount',
      'Paid',
      'Refunded',
      'Currency',
      'Invoices',
    ]);
    expect(rows.find(([number]) => number === 'T-S0-000007')).toEqual([
      'T-S0-000007',
      at('2026-03-02T01:30:00Z'),
      at('2026-03-02T00:00:00Z'),
      'Walk-In',
      'Completed',
      'Łukasz Núñez & <Söhne> "€"',
      '2,5 × Dental cleaning',
      1,
      151.25,
      0,
      151.25,
      20,
      'EUR',
      'INV-S0-000007',
    ]);
    // Seven of 60.50 and one of 151.25; one of them unpaid.
    expect(rows.at(-1)).toEqual([
      'Total',
      null,
      null,
      null,
      null,
      null,
      null,
      null,
      574.75,
      null,
      514.25,
      20,
      'EUR',
      null,
    ]);
    expect(rows).toHaveLength(9);
  });

  test('states cancelled treatments and other currencies in rows of their own, below the total', async () => {
    const other = await BackOffice.open({ now: nowMs });
    const { clinicId, database } = other.server;
    await fillTreatments(database.$client, { clinicId, count: 20, firstDay: '2026-03-01', perDay: 20 });
    const mark = (change: string, ...numbers: number[]) =>
      other.rows(`update orders set ${change} where clinic_id = $1 and number = any($2)`, [
        clinicId,
        numbers.map((number) => `T-B1-0000${String(number).padStart(2, '0')}`),
      ]);
    await mark(`status = 'cancelled'`, 2, 3, 4);
    await mark(`currency = 'LKR'`, 4, 5, 6);
    const sheets = async (body: object) =>
      (await readSheets((await other.call('POST', '/reports/sales/export/excel', body)).rawPayload))[0]!.data;
    const below = (rows: readonly unknown[][], count: number) =>
      rows.slice(1 + count).map((row) => [row[0], row[8], row[10], row[11], row[12]]);
    // Each is of 90.50; the first and the eleventh are unpaid.
    expect(below(await sheets({}), 20)).toEqual([
      ['Total', 15 * 90.5, 13 * 90.5, 0, 'EUR'],
      ['Cancelled (2)', 181, 181, 0, 'EUR'],
      ['Total in Rs (2)', 181, 181, 0, 'LKR'],
      ['Cancelled, in Rs (1)', 90.5, 90.5, 0, 'LKR'],
    ]);
    expect(below(await sheets({ status: 'cancelled', language: 'sp' }), 3)).toEqual([
      ['Cancelados (2)', 181, 181, 0, 'EUR'],
      ['Cancelados, en Rs (1)', 90.5, 90.5, 0, 'LKR'],
    ]);
    await other.server.close();
  });

  test('SECURITY keeps text that begins like a formula as text', async () => {
    const { Treatments: rows = [] } = await sheetsOf();
    const patients = rows.map((row) => row[5]);
    for (const text of formulas) expect(patients).toContain(text.replace('\r', '\n'));
    const xml = partsOf((await exported()).rawPayload)['xl/worksheets/sheet1.xml']!;
    expect(xml).not.toContain('<f>');
    // The style keeps the cell a text when somebody edits it.
    const style = /<c r="F\d+" t="inlineStr" s="(\d)"><is><t xml:space="preserve">=HYPERLINK/.exec(xml)![1];
    const styles = partsOf((await exported()).rawPayload)['xl/styles.xml']!;
    const formats = styles.split('<cellXfs')[1]!.match(/<xf [^>]*>/g)!;
    expect(formats[Number(style)]).toContain('quotePrefix="1"');
    expect(xml.match(new RegExp(` s="${style}"`, 'g'))).toHaveLength(formulas.length);
  });

  test('lists the services and the filters', async () => {
    const { Services: services = [], Filters: filters = [] } = await sheetsOf({
      orderType: 'walk_in',
      minAmount: 100,
      searchTerm: 'nunez',
    });
    expect(services).toEqual([
      ['Treatment', 'Business day', 'Service', 'Quantity', 'Unit price', 'Amount', 'Notes'],
      ['T-S0-000007', at('2026-03-02T00:00:00Z'), 'Dental cleaning', 2.5, 60.5, 151.25, null],
    ]);
    expect(filters).toEqual([
      ['Sales report', 'Clínica Ñandú'],
      ['Address', 'Calle Mayor 1'],
      ['Phone', '+34 910 000 000'],
      ['Period', 'All days'],
      ['Type', 'Walk-In'],
      ['Amount from', 'EUR 100,00'],
      ['Search', 'nunez'],
      ['Treatments', 1],
      ['Made on', at('2026-03-02T01:30:00Z')],
    ]);
  });

  test('uses the requested language, or else the clinic’s', async () => {
    const spanish = await sheetsOf({
      language: 'sp',
      startDate: '2026-03-01',
      endDate: '2026-03-02',
      status: 'confirmed',
      maxAmount: 100,
    });
    expect(Object.keys(spanish)).toEqual(['Tratamientos', 'Servicios', 'Filtros']);
    expect(spanish['Tratamientos']![1]!.slice(3, 6)).toEqual(['Sin cita', 'Confirmado', 'Ana']);
    expect(spanish['Filtros']!.slice(3, 5)).toEqual([
      ['Periodo', 'Del 1 mar 2026 al 2 mar 2026'],
      ['Estado', 'Confirmado'],
    ]);
    expect(Object.keys(await sheetsOf())).toEqual(['Treatments', 'Services', 'Filters']);
  });

  test('freezes its header row, which has column filters', async () => {
    const xml = partsOf((await exported()).rawPayload)['xl/worksheets/sheet1.xml']!;
    expect(xml).toContain('<pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/>');
    // The filter excludes the totals, which would otherwise be sorted among the rows.
    expect(xml).toContain('<autoFilter ref="A1:N9"/>');
  });

  test('is an empty sheet when nothing matches', async () => {
    const reply = await exported({ endDate: '1999-01-01' });
    expect(reply.headers['x-total-rows']).toBe('0');
    expect((await readSheets(reply.rawPayload))[0]!.data[1]!.slice(8, 9)).toEqual([0]);
  });

  test('is refused for contradictory filters', async () => {
    const reply = await exported({ startDate: '2026-03-02', endDate: '2026-03-01' });
    expect([reply.statusCode, reply.json().details]).toEqual([
      400,
      { endDate: 'Report end date cannot precede start date' },
    ]);
  });

  test('is in the audit log with user, filters and row count, without a patient', async () => {
    await exported({ searchTerm: 'Núñez', status: 'completed', minAmount: 1.5 });
    const { user_id, details } = (await office.audited('report.exported')).at(-1)!;
    expect(user_id).toBe(office.manager.userId);
    expect(details).toEqual({ format: 'excel', rows: 1, searchTerm: '…', status: 'completed', minAmount: 1.5 });
  });
});

describe('a workbook', () => {
  test('drops characters that XML cannot contain', () => {
    expect(escaped('a\u0000b\u0007c\ud800d\uffff\te')).toBe('abcd\te');
    expect(escaped('😀 <&>')).toBe('😀 &lt;&amp;&gt;');
  });

  test("fills sheets at the same time, each up to Excel's limit", async () => {
    const book = new Workbook(nowMs);
    const [first, second] = ['One', 'Two'].map((name) => book.sheet({ name, widths: [10], hasHead: false })) as [
      ReturnType<Workbook['sheet']>,
      ReturnType<Workbook['sheet']>,
    ];
    for (let row = 0; row < 3000; row++) {
      for (const [sheet, text] of [
        [second, `two ${row}`],
        [first, `one ${row}`],
      ] as const)
        if (sheet.add([{ kind: 'text', text }])) await sheet.flush();
    }
    expect(second.isFull).toBe(false);
    await second.end();
    await first.end();
    await book.end();
    const sheets = await readSheets(Buffer.concat(book.take()));
    expect(sheets.map(({ sheet, data }) => [sheet, data.length, data.at(-1)])).toEqual([
      ['One', 3000, ['one 2999']],
      ['Two', 3000, ['two 2999']],
    ]);

    const full = new Workbook(nowMs).sheet({ name: 'Full', widths: [], hasHead: false });
    for (let row = 0; row < rowsPerSheet; row++) full.add([]);
    expect(full.isFull).toBe(true);
  });
});

const partsOf = (file: Uint8Array): Record<string, string> =>
  Object.fromEntries(Object.entries(unzipSync(file)).map(([name, bytes]) => [name, strFromU8(bytes)]));
