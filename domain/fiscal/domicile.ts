/** Where in Spain a domicile is, by its postal code: two territories have tax agencies of their own. */
export type TaxTerritory = 'common' | 'basque' | 'navarre';

/** Álava, Gipuzkoa and Bizkaia, which have TicketBAI in the place of VERI*FACTU. */
const basque = ['01', '20', '48'];
const navarre = '31';

export function territoryOf(postalCode: string): TaxTerritory {
  const province = postalCode.slice(0, 2);
  if (basque.includes(province)) return 'basque';
  return province === navarre ? 'navarre' : 'common';
}

/** True for a postal code of one of the 52 provinces. */
export const isPostalCode = (text: string): boolean => /^(0[1-9]|[1-4]\d|5[0-2])\d{3}$/.test(text);
