/**
 * The report of treatments as an Excel workbook: a sheet of treatments, sheets of their services, and a sheet of the
 * filters.
 */
import { localTime } from '#domain/time-zone.ts';
import type { ReportOrder } from '#domain/report/resources.ts';
import { sumRows } from '#domain/report/sums.ts';
import type { SumRow } from '#domain/report/sums.ts';
import { taxText, translationsIn } from '#server/translations.ts';
import type { OrderReport } from '../reports/service.ts';
import { heads } from './workbook-cells.ts';
import type { Cell } from './workbook-cells.ts';
import { filterTexts, formatsOf, itemsText, periodText, sumText } from './report-texts.ts';
import type { ExportContext } from './report-texts.ts';
import { Workbook } from './workbook.ts';
import type { Sheet } from './workbook.ts';

const text = (value: string): Cell => ({ kind: 'text', text: value });
const amount = (value: number): Cell => ({ kind: 'amount', amount: value });
const quantity = (value: number): Cell => ({ kind: 'quantity', quantity: value });

/** Yields the workbook's bytes as they become ready. The report ends when the reader stops. */
export async function* salesWorkbook(report: OrderReport, context: ExportContext): AsyncGenerator<Uint8Array> {
  const book = new Workbook(context.atMs);
  try {
    const orders = orderSheet(book, context);
    const services = new ServiceSheets(book, context);
    const cellsOf = orderCells(context);
    let rows = 1;
    for await (const order of report.rows) {
      rows += 1;
      if (orders.add(cellsOf(order))) await orders.flush();
      if (await services.add(order)) yield* book.take();
    }
    for (const row of sumRows(report)) orders.add(sumCells(row, context));
    await orders.end(rows);
    yield* book.take();
    await services.end();
    if (report.taxes.length > 0) await addTaxes(book, report, context);
    await addFilters(book, report, context);
    await book.end();
    yield* book.take();
  } finally {
    book.destroy();
  }
}

/** Returns a row of sums below the treatments. */
function sumCells(row: SumRow, context: ExportContext): Cell[] {
  const sum = (value: number): Cell => ({ kind: 'amount', amount: value, isBold: true });
  const bold = (value: string): Cell => ({ kind: 'text', text: value, isBold: true });
  return [
    bold(sumText(row, context)),
    ...Array.from({ length: 7 }, () => bold('')),
    sum(row.total),
    bold(''),
    sum(row.paid),
    sum(row.refunded),
    bold(row.currency),
    bold(''),
  ];
}

function orderSheet(book: Workbook, { language }: ExportContext): Sheet {
  const { columns, sheets } = translationsIn(language).exports;
  const {
    number,
    createdAt,
    businessDay: day,
    type,
    status,
    patient,
    services,
    count,
    total,
    discount,
    paid,
    refunded,
    currency,
    invoices,
  } = columns;
  const sheet = book.sheet({
    name: sheets.orders,
    widths: [17, 17, 13, 13, 13, 28, 44, 10, 13, 13, 13, 13, 10, 24],
    hasHead: true,
  });
  sheet.add(
    heads([
      number,
      createdAt,
      day,
      type,
      status,
      patient,
      services,
      count,
      total,
      discount,
      paid,
      refunded,
      currency,
      invoices,
    ]),
  );
  return sheet;
}

function orderCells(context: ExportContext): (order: ReportOrder) => Cell[] {
  const { counter, exports: words } = translationsIn(context.language);
  const { number } = formatsOf(context);
  const wallClock = wallClockOf(context.clinic.time_zone);
  return (order) => [
    text(order.number),
    { kind: 'moment', wallMs: wallClock(order.created_at) },
    { kind: 'day', day: order.business_day },
    text(counter.types[order.order_type]),
    text(words.statuses[order.status]),
    text(order.customer_name),
    text(itemsText(order.items, number)),
    quantity(order.items_count),
    amount(order.total),
    amount(order.discount),
    amount(order.paid),
    amount(order.refunded),
    text(order.currency),
    text(order.invoice_numbers.join(', ')),
  ];
}

/** The sheets of services. Excel limits the rows of a sheet, so there may be several. */
class ServiceSheets {
  private readonly sheets: Sheet[] = [];

  constructor(
    private readonly book: Workbook,
    private readonly context: ExportContext,
  ) {
    this.begin();
  }

  private begin(): Sheet {
    const { columns, sheets } = translationsIn(this.context.language).exports;
    const name = this.sheets.length === 0 ? sheets.services : `${sheets.services} ${this.sheets.length + 1}`;
    const sheet = this.book.sheet({ name, widths: [17, 13, 34, 10, 13, 13, 40], hasHead: true });
    sheet.add(
      heads([
        columns.number,
        columns.businessDay,
        columns.service,
        columns.quantity,
        columns.unitPrice,
        columns.price,
        columns.notes,
      ]),
    );
    this.sheets.push(sheet);
    return sheet;
  }

  /** @returns whether a chunk was compressed */
  async add({ number, business_day, items }: ReportOrder): Promise<boolean> {
    let isLarge = false;
    for (const item of items) {
      let sheet = this.sheets.at(-1)!;
      if (sheet.isFull) sheet = this.begin();
      const row = [
        text(number),
        { kind: 'day', day: business_day } as const,
        text(item.name),
        quantity(item.quantity),
        amount(item.unit_cost),
        amount(item.price),
        text(item.notes),
      ];
      if (sheet.add(row)) {
        isLarge = true;
        await sheet.flush();
      }
    }
    return isLarge;
  }

  async end(): Promise<void> {
    for (const sheet of this.sheets) await sheet.end();
  }
}

async function addTaxes(book: Workbook, { taxes }: OrderReport, context: ExportContext): Promise<void> {
  const { columns, sheets } = translationsIn(context.language).exports;
  const sheet = book.sheet({ name: sheets.taxes, widths: [34, 16, 16, 16], hasHead: true });
  sheet.add(heads([sheets.taxes, columns.base, columns.tax, columns.total]));
  for (const total of taxes)
    sheet.add([text(taxText(total, context.language)), amount(total.base), amount(total.tax), amount(total.gross)]);
  await sheet.end();
}

async function addFilters(book: Workbook, report: OrderReport, context: ExportContext): Promise<void> {
  const { clinic, atMs } = context;
  const { exports: words } = translationsIn(context.language);
  const sheet = book.sheet({ name: words.sheets.filters, widths: [24, 60], hasHead: false });
  const title: Cell = { kind: 'head', text: words.title };
  sheet.add([title, { kind: 'head', text: clinic.practice_name }]);
  const facts = [
    { name: words.address, value: clinic.address },
    { name: words.phone, value: clinic.phone },
    { name: words.email, value: clinic.email },
    { name: words.period.label, value: periodText(context) },
    ...filterTexts(context),
  ];
  for (const { name, value } of facts) if (value !== '') sheet.add([text(name), text(value)]);
  sheet.add([text(words.sheets.orders), quantity(report.count)]);
  sheet.add([text(words.made), { kind: 'moment', wallMs: wallClockOf(clinic.time_zone)(atMs) }]);
  await sheet.end();
}

/**
 * Returns a function that converts an instant to the zone's wall clock as if it were UTC: Excel dates have no time
 * zone.
 */
function wallClockOf(timeZone: string): (instant: number | string) => number {
  return (instant) => Date.parse(`${localTime(new Date(instant).getTime(), timeZone)}Z`);
}
