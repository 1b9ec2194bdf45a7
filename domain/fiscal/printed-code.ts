/** The QR code at the head of a document whose record goes to the tax agency. */
import { businessDay } from '../business-day.ts';
import type { TaxDocumentFields } from '../tax/document.ts';
import { inPart } from '../printed-row.ts';
import type { PrintedRow } from '../printed-row.ts';
import type { ClinicSettings } from '../settings/settings.ts';
import { taxTotalFromWire } from '../tax/wire.ts';
import { decimal } from './record.ts';
import type { Bound } from '../settings/obligation.ts';
import { isSentOn } from '../settings/verifactu.ts';
import { verificationUrl } from './verification-url.ts';
import { fiscalDay } from './zoned.ts';

/** The words that the law wants above the code and below it, as large as the text, in any language of the document. */
const caption = 'QR tributario:';
const legend = 'VERI*FACTU';

/** Returns true if the documents of a day carry the code. */
const isVerifiable = (
  settings: Pick<ClinicSettings, 'tax_profile' | 'verifactu_since' | 'verifactu_until'> & Partial<Bound>,
  day: string,
): boolean => settings.tax_profile === 'ES' && isSentOn(settings, day);

/** Returns the rows of the code; none before VERI*FACTU begins, and none for a document without an issuer. */
export function codeRows(
  settings: ClinicSettings,
  { number, issuedAtMs, tax }: { number: string; issuedAtMs: number; tax: TaxDocumentFields },
): PrintedRow[] {
  const day = businessDay(issuedAtMs, settings.time_zone);
  const { issuer, tax_totals } = tax;
  if (!issuer || !tax_totals || !isVerifiable(settings, day)) return [];
  const totalMinor = tax_totals.map(taxTotalFromWire).reduce((sum, { grossMinor }) => sum + grossMinor, 0);
  const url = verificationUrl(
    { issuer: issuer.tax_id, number, issued_on: fiscalDay(day), total: decimal(totalMinor) },
    settings.verifactu_system,
  );
  return inPart('code', [
    { style: 'text', left: caption },
    { style: 'qr', left: url },
    { style: 'text', left: legend },
  ]);
}
