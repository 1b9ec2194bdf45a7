/** Compares the rows and sums of the exported files with the treatments. */
import { getDocument } from 'pdfjs-dist/legacy/build/pdf.mjs';
import readSheets from 'read-excel-file/node';
import { dayOf } from '../calendar.ts';
import { cents, sumOf } from '../integers.ts';
import type { Treatment } from '../treatment.ts';
import { printed } from '../visit.ts';
import { isIn, salesSums, salesTaxes } from './compare-reports.ts';
import type { LedgerClinic } from './clinic.ts';
import { differences, sorted } from './differences.ts';

const statuses = { confirmed: 'Confirmed', completed: 'Completed', cancelled: 'Cancelled' };

export async function compareExports(clinic: LedgerClinic, treatments: readonly Treatment[]): Promise<string[]> {
  return [...(await compareWorkbook(clinic, treatments)), ...(await comparePdf(clinic, treatments))];
}

type Cell = string | number | boolean | Date | null;

async function compareWorkbook(clinic: LedgerClinic, treatments: readonly Treatment[]): Promise<string[]> {
  const { data } = await clinic.ask<Buffer>('POST', '/reports/sales/export/excel', {});
  const sheets = new Map(
    (await readSheets(data, { trim: false })).map((sheet) => [sheet.sheet, sheet.data as Cell[][]]),
  );
  const [head = [], ...rows] = sheets.get('Treatments') ?? [];
  const at = (row: readonly Cell[], name: string) => row[head.indexOf(name)];
  const amountsOf = (row: readonly Cell[]) =>
    ['Total', 'Discount', 'Paid', 'Refunded'].map((name) => cents(Number(at(row, name)))).join(' ');
  const ofTreatments = rows.filter((row) => String(at(row, 'Treatment')).startsWith('T-'));
  const shown = ofTreatments.map((row) =>
    [
      at(row, 'Treatment'),
      (at(row, 'Business day') as Date).toISOString().slice(0, 10),
      at(row, 'Status'),
      amountsOf(row),
    ].join(' '),
  );
  const expected = treatments.map(({ number, createdMs, status, total, discount, movements }) =>
    [
      number,
      dayOf(createdMs),
      statuses[status],
      total,
      discount,
      sumOf(movements, ({ amount }) => Math.max(0, amount)),
      sumOf(movements, ({ amount }) => Math.max(0, -amount)),
    ].join(' '),
  );
  const sums = rows
    .slice(ofTreatments.length)
    .map((row) => ['Total', 'Paid', 'Refunded'].map((name) => cents(Number(at(row, name)))).join(' '));
  const { sums: counted, cancelled } = salesSums(treatments.filter(isIn(clinic)));
  const withoutCount = (text: string) => text.replace(/^\d+ /, '');
  return [
    ...differences('the workbook', { rows: sorted(shown) }, { rows: sorted(expected) }),
    ...differences('the workbook', { sums: sums[0] }, { sums: withoutCount(counted) }),
    ...(treatments.some(({ status }) => status === 'cancelled')
      ? differences('the workbook', { cancelled: sums[1] }, { cancelled: withoutCount(cancelled) })
      : []),
    ...compareServices(sheets.get('Services') ?? [], treatments),
    ...compareTaxes(sheets.get('Tax') ?? [], treatments),
  ];
}

function compareServices([, ...rows]: readonly Cell[][], treatments: readonly Treatment[]): string[] {
  const shown = rows.map(([number, , name, quantity, price, amount]) =>
    [number, name, quantity, price, amount].join(' '),
  );
  const expected = treatments.flatMap(({ number, lines }) =>
    lines.map(({ name, milli, price, worth }) => [number, name, milli / 1000, price / 100, worth / 100].join(' ')),
  );
  return differences('the workbook', { services: sorted(shown) }, { services: sorted(expected) });
}

function compareTaxes([, ...rows]: readonly Cell[][], treatments: readonly Treatment[]): string[] {
  const shown = rows.map(
    ([, base, tax, gross]) => `${cents(Number(gross))} = ${cents(Number(base))} + ${cents(Number(tax))}`,
  );
  const expected = salesTaxes(treatments).map((text) => text.replace(/^[^:]*: /, ''));
  return differences(
    'the workbook',
    { taxes: sorted(shown.filter((text) => text !== '0 = 0 + 0')) },
    { taxes: sorted(expected) },
  );
}

async function comparePdf(clinic: LedgerClinic, treatments: readonly Treatment[]): Promise<string[]> {
  const { data } = await clinic.ask<Buffer>('POST', '/reports/sales/export/pdf', {});
  const document = await getDocument({ data: new Uint8Array(data), useSystemFonts: false, verbosity: 0 }).promise;
  const texts: string[] = [];
  for (let page = 1; page <= document.numPages; page++) {
    const { items } = await (await document.getPage(page)).getTextContent();
    texts.push(...items.flatMap((item) => ('str' in item && item.str.trim() !== '' ? item.str : [])));
  }
  const all = texts.join('|');
  return treatments.flatMap(({ number, total, movements, currency }) => {
    const [paid, given] = [1, -1].map((sign) => sumOf(movements, ({ amount }) => Math.max(0, sign * amount)));
    const amounts = [total, paid!, given!].map((minor) => printed(minor, currency)).join('|');
    const row = all.slice(all.indexOf(number));
    // The next cell with an amount is the total: no name of a service has one.
    const shown = /(?:EUR|Rs) .*?\|.*?\|(?:EUR|Rs) [^|]*/.exec(row)?.[0];
    return shown === amounts ? [] : `the PDF shows ${shown} of ${number}, expected ${amounts}`;
  });
}
