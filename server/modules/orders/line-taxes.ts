import type { LinePayload } from '#domain/order/operations.ts';
import type { ClinicSettings } from '#domain/settings/settings.ts';
import { lineTax } from '#domain/tax/profile.ts';
import { categoryOfKey } from '#domain/tax/tax.ts';
import { categoryToWire } from '#domain/tax/wire.ts';
import type { WriteContext } from '#server/context.ts';
import { loadPrices } from '../stock/service.ts';

/**
 * Returns agreed lines with their taxes. A line that states none bears the tax of the catalogue on this business day, also
 * the tax of a deleted service. Without a tax profile no line has one.
 */
export async function taxedLines<Line extends LinePayload>(
  { sql, clinicId, atMs }: WriteContext,
  settings: ClinicSettings,
  lines: readonly Line[],
): Promise<Line[]> {
  if (settings.tax_profile === 'none') return lines.map((line) => ({ ...line, tax: undefined }));
  const open = lines.filter(({ tax }) => !tax);
  if (open.length === 0) return [...lines];
  const { stock, products } = await loadPrices(sql, clinicId, {
    stockIds: open.flatMap(({ stock_id }) => stock_id ?? []),
    productIds: open.flatMap(({ product_id }) => product_id ?? []),
    sinceMs: atMs,
  });
  return lines.map((line) => {
    if (line.tax) return line;
    const known = stock.get(line.stock_id ?? 0) ?? products.get(line.product_id ?? 0) ?? [];
    const current = known.find(({ untilMs }) => untilMs === null);
    return { ...line, tax: categoryToWire(categoryOfKey(lineTax(settings, current?.taxCode, atMs)!)) };
  });
}
