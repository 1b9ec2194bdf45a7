/** The report of removals as a PDF: the sums of each person, then the events. */
import { removalKinds } from '#domain/report/removals.ts';
import type { PersonRemovals, Removal } from '#domain/report/removals.ts';
import { interpolate, translationsIn } from '#server/translations.ts';
import { tablePdf } from './pdf-document.ts';
import { typefaces } from './pdf-fonts.ts';
import { drawTitle } from './pdf-header.ts';
import { ink } from './pdf-table.ts';
import type { PdfColumn } from './pdf-table.ts';
import { formatsOf } from './report-texts.ts';
import type { ExportContext } from './report-texts.ts';

/** What is removed by whom, with its events. */
export interface RemovalRows {
  people: readonly PersonRemovals[];
  rows: AsyncIterable<Removal>;
}

const shapes = [
  { name: 'person', width: 118, wraps: true },
  { name: 'at', width: 86 },
  { name: 'kind', width: 104, wraps: true },
  { name: 'number', width: 96 },
  { name: 'what', width: 208, wraps: true },
  { name: 'approver', width: 80, wraps: true },
  { name: 'amount', width: 78, isAmount: true },
] as const;

/** Yields the PDF's bytes as they become ready. */
export function removalsPdf(report: RemovalRows, context: ExportContext): AsyncGenerator<Uint8Array> {
  const words = translationsIn(context.language).removals;
  const columns = shapes.map(({ name, ...shape }): PdfColumn => ({ title: words.columns[name], ...shape }));
  const isEmpty = report.people.length === 0;
  return tablePdf(
    {
      title: words.title,
      columns,
      rows: cellRows(report, context),
      drawHeader: (doc) => drawTitle(doc, { title: words.title, facts: [] }, context),
      below: {
        height: isEmpty ? 24 : 0,
        draw: (doc, y) => {
          const { left } = doc.page.margins;
          if (isEmpty)
            doc
              .font(typefaces.regular)
              .fontSize(9)
              .fillColor(ink.faint)
              .text(words.empty, left + 4, y + 8);
        },
      },
    },
    context,
  );
}

async function* cellRows({ people, rows }: RemovalRows, context: ExportContext): AsyncGenerator<string[]> {
  const words = translationsIn(context.language).removals;
  const { moment, amount, number } = formatsOf(context);
  for (const { person, currency, kinds, count, amount: sum } of people) {
    const parts = removalKinds.flatMap((kind) => {
      const of = kinds[kind];
      return of ? `${words.kinds[kind]} ${number(of.count)} · ${amount(of.amount, currency)}` : [];
    });
    const total = interpolate(words.total, { count });
    yield [person, '', total, '', parts.join('; '), '', amount(sum, currency)];
  }
  for await (const { person, at, kind, number: treatment, what, reason, approver, amount: one, currency } of rows)
    yield [
      person,
      moment(at),
      words.kinds[kind],
      treatment,
      [what, reason].filter(Boolean).join(' · '),
      approver ?? '',
      amount(one, currency),
    ];
}
