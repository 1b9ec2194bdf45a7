/**
 * Where in Spain a domicile is, by its postal code: two territories have tax agencies of their own, and three have other
 * taxes in the place of VAT.
 */
export type TaxTerritory = 'common' | 'basque' | 'navarre' | 'canaries' | 'ceuta' | 'melilla';

/** Álava, Gipuzkoa and Bizkaia, which have TicketBAI in the place of VERI*FACTU. */
const basque = ['01', '20', '48'];
const others: Readonly<Record<string, TaxTerritory>> = {
  31: 'navarre',
  // Las Palmas and Santa Cruz de Tenerife have IGIC; Ceuta and Melilla IPSI.
  35: 'canaries',
  38: 'canaries',
  51: 'ceuta',
  52: 'melilla',
};

export function territoryOf(postalCode: string): TaxTerritory {
  const province = postalCode.slice(0, 2);
  if (basque.includes(province)) return 'basque';
  return others[province] ?? 'common';
}

/** True where VAT does not apply (Law 37/1992, article 3). */
export const isOutsideVat = (postalCode: string): boolean =>
  ['canaries', 'ceuta', 'melilla'].includes(territoryOf(postalCode));

/** True for a postal code of one of the 52 provinces. */
export const isPostalCode = (text: string): boolean => /^(0[1-9]|[1-4]\d|5[0-2])\d{3}$/.test(text);
