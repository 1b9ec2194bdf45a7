/**
 * The printed rows of collective invoices. A payer learns the number, the day and the price of a treatment. An exempt service
 * has the general words of the clinic's fiscal records, because its name is health data. Taxed goods have their names and
 * prices, as the law requires (RD 1619/2012, article 6.1.f).
 */
import { codeRows } from '../fiscal/printed-code.ts';
import { minorFromWire } from '../money.ts';
import { inPart } from '../printed-row.ts';
import type { PrintedRow } from '../printed-row.ts';
import type { ClinicSettings } from '../settings/settings.ts';
import { defaultTaxCode } from '../tax/codes.ts';
import { categoryOfKey } from '../tax/tax.ts';
import type { CollectiveInvoice, CollectivePart } from './collective.ts';
import { pair, rule, text, total, writer } from './document-writer.ts';
import type { DocumentContext } from './document-writer.ts';
import { discountsByLine } from './line-prices.ts';
import { lineTotal } from './order.ts';
import type { InvoiceSums, OrderLine } from './order.ts';
import type { PrintedLine } from './printed-lines.ts';
import { percent } from './printed-tax.ts';

interface CollectiveContent {
  document: Omit<CollectiveInvoice, 'printed'>;
  parts: readonly CollectivePart[];
  sums: InvoiceSums;
}

export function collectiveRows(context: DocumentContext, { document, parts, sums }: CollectiveContent): PrintedRow[] {
  const { settings, labels } = context;
  const write = writer(context, document.currency);
  const { invoice_number: number, issued_at, retention, total_amount } = document;
  const issuedAtMs = Date.parse(issued_at);
  const printed = parts.map((part) => printedPart(settings, part, `${part.order.number} · ${write.day(part.day)} · `));
  const payableMinor = minorFromWire(total_amount) - minorFromWire(retention?.amount ?? 0);
  return [
    // The preview has no number yet: a code of it would lead nowhere.
    ...(number === '' ? [] : codeRows(settings, { number, issuedAtMs, tax: document })),
    ...write.head(labels.tax.titles.F1),
    ...write.facts([
      pair(labels.number, number),
      pair(labels.issued, write.moment(issuedAtMs)),
      pair(labels.tax.treatments, String(parts.length)),
    ]),
    ...write.named(document),
    rule,
    ...write.lines(
      printed.flatMap(({ lines }) => lines),
      document,
      printed.flatMap(({ further }) => further),
    ),
    rule,
    ...write.sums(sums),
    ...write.taxTotals(document),
    ...(retention
      ? inPart('payments', [
          pair(
            `${labels.tax.retention} ${percent(retention.percentage)} (${write.wire(retention.base)})`,
            write.wire(-retention.amount),
          ),
          total(labels.tax.toPay, write.minor(payableMinor)),
        ])
      : []),
    ...write.footer,
  ];
}

/** Returns the rows that show a treatment's part at the desk. They are no invoice, and say so. */
export function collectivePartRows(context: DocumentContext, part: CollectivePart): PrintedRow[] {
  const { labels, settings } = context;
  const { order, invoice } = part;
  const write = writer(context, invoice.currency);
  const { lines, further } = printedPart(settings, part, '');
  return [
    ...write.head(labels.tax.part),
    ...write.facts([
      pair(labels.number, invoice.invoice_number),
      pair(labels.issued, write.moment(Date.parse(invoice.issued_at))),
      pair(labels.treatment, order.number),
    ]),
    ...write.named(invoice),
    rule,
    ...write.lines(lines, invoice, further),
    rule,
    ...write.sums(invoice),
    ...write.taxTotals(invoice),
    ...inPart('notes', text('small', labels.tax.partNote)),
    ...write.footer,
  ];
}

/** Returns a service as a third party may read it: an exempt one in general words. */
export const generally = (
  line: OrderLine,
  { operation_description }: Pick<ClinicSettings, 'operation_description'>,
): OrderLine => (isExempt(line) ? { ...line, name: operation_description } : line);

const isExempt = ({ tax = defaultTaxCode }: OrderLine): boolean => 'exempt' in categoryOfKey(tax);

/** Returns the lines of a treatment: what is exempt as one by its tax, and each taxed one. */
function printedPart(settings: ClinicSettings, { order, lines, invoice }: CollectivePart, about: string) {
  const { operation_description: description } = settings;
  const discounts = discountsByLine(order, lines, minorFromWire(invoice.discount_amount));
  const printed: PrintedLine[] = [];
  for (const [at, line] of lines.entries()) {
    const [amountMinor, discountMinor] = [lineTotal(line), discounts[at]!];
    const same = isExempt(line) ? printed.findIndex((one) => isExempt(one.line) && one.line.tax === line.tax) : -1;
    const before = printed[same];
    if (before)
      printed[same] = summed(before.line, before.amountMinor + amountMinor, before.discountMinor + discountMinor);
    else {
      const { name, ...rest } = generally(line, settings);
      const shown = { ...rest, name: about + name };
      printed.push(
        isExempt(line) ? summed(shown, amountMinor, discountMinor) : { line: shown, amountMinor, discountMinor },
      );
    }
  }
  const further =
    lines.length === 0 ? [{ name: about + description, amountMinor: minorFromWire(invoice.subtotal) }] : [];
  return { lines: printed, further };
}

/** Returns a line of one piece at a price. */
const summed = (line: OrderLine, amountMinor: number, discountMinor: number): PrintedLine => ({
  line: { ...line, quantityMilli: 1000, unitPriceMinor: amountMinor },
  amountMinor,
  discountMinor,
});
