/** From which day on a clinic must not issue documents outside VERI*FACTU with this program, which has no other lawful way. */
import type { ClinicSettings } from './settings.ts';
import { territoryOf } from '../tax/domicile.ts';
import { isTaxId } from '../tax/tax-id.ts';

export type Bound = Pick<ClinicSettings, 'tax_profile' | 'tax_id' | 'postal_code' | 'books_by_sii'>;

/** RD 1007/2023 as changed by RDL 15/2025. The numbers of companies and other bodies begin with a letter that no person has. */
const firstDays = { company: '2027-01-01', selfEmployed: '2027-07-01' };
const isBody = (taxId: string): boolean => /^[ABCDEFGHJNPQRSUVW]/.test(taxId);

/**
 * Returns the obligatory day (`yyyy-mm-dd`); null without one: another profile, another tax agency, no number yet, or books
 * that are kept by SII (RD 1007/2023, article 3.3).
 */
export function boundSince({ tax_profile, tax_id, postal_code, books_by_sii }: Bound): string | null {
  if (books_by_sii) return null;
  if (tax_profile !== 'ES' || !isTaxId(tax_id) || territoryOf(postal_code) !== 'common') return null;
  return isBody(tax_id) ? firstDays.company : firstDays.selfEmployed;
}
