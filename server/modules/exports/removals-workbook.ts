/** The report of removals as an Excel workbook: a sheet of the sums of each person, and a sheet of the events. */
import { removalKinds } from '#domain/report/removals.ts';
import { localTime } from '#domain/time-zone.ts';
import { translationsIn } from '#server/translations.ts';
import type { RemovalRows } from './removals-pdf.ts';
import { periodText } from './report-texts.ts';
import type { ExportContext } from './report-texts.ts';
import { heads } from './workbook-cells.ts';
import type { Cell } from './workbook-cells.ts';
import { Workbook } from './workbook.ts';

const text = (value: string): Cell => ({ kind: 'text', text: value });
const amount = (value: number): Cell => ({ kind: 'amount', amount: value });
const quantity = (value: number): Cell => ({ kind: 'quantity', quantity: value });

/** Yields the workbook's bytes as they become ready. */
export async function* removalsWorkbook(report: RemovalRows, context: ExportContext): AsyncGenerator<Uint8Array> {
  const words = translationsIn(context.language).removals;
  const { columns } = words;
  const book = new Workbook(context.atMs);
  try {
    const people = book.sheet({
      name: words.sheets.people,
      widths: [28, 10, ...removalKinds.flatMap(() => [12, 16]), 12, 16],
      hasHead: true,
    });
    const kindNames = removalKinds.flatMap((kind) => [`${words.kinds[kind]}: ${columns.count}`, words.kinds[kind]]);
    people.add(heads([columns.person, columns.currency, ...kindNames, columns.count, columns.amount]));
    for (const { person, currency, kinds, count, amount: sum } of report.people) {
      const cells = removalKinds.flatMap((kind) => [
        quantity(kinds[kind]?.count ?? 0),
        amount(kinds[kind]?.amount ?? 0),
      ]);
      people.add([text(person), text(currency), ...cells, quantity(count), amount(sum)]);
    }
    people.add([text(periodText(context))]);
    await people.end();
    const events = book.sheet({
      name: words.sheets.events,
      widths: [28, 17, 20, 18, 34, 34, 22, 13, 10],
      hasHead: true,
    });
    const { person, at, kind, number, service, reason, approver, amount: sum, currency } = columns;
    events.add(heads([person, at, kind, number, service, reason, approver, sum, currency]));
    for await (const row of report.rows) {
      const isLarge = events.add([
        text(row.person),
        { kind: 'moment', wallMs: Date.parse(`${localTime(Date.parse(row.at), context.clinic.time_zone)}Z`) },
        text(words.kinds[row.kind]),
        text(row.number),
        text(row.what),
        text(row.reason),
        text(row.approver ?? ''),
        amount(row.amount),
        text(row.currency),
      ]);
      if (!isLarge) continue;
      await events.flush();
      yield* book.take();
    }
    await events.end();
    await book.end();
    yield* book.take();
  } finally {
    book.destroy();
  }
}
