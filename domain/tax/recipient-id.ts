/** How the recipient of a full invoice is identified: by a Spanish NIF, or by another number (the agency's lists L7 and L17). */
import { isTaxId } from './tax-id.ts';

/**
 * The kinds of numbers of a recipient without a NIF: `02` a VAT number of the European Union, `03` a travel document, `04` an official
 * document of the country of residence, `05` a certificate of residence, `06` another document.
 */
export const foreignIdTypes = ['03', '04', '02', '05', '06'] as const;
export type ForeignIdType = (typeof foreignIdTypes)[number];

export interface RecipientId {
  tax_id: string;
  /** Absent of a Spanish NIF, as the country. */
  id_type?: ForeignIdType | undefined;
  /** ISO 3166-1 alpha-2. */
  country?: string | undefined;
}

/** The countries that the agency's schema takes. */
export const countries: readonly string[] = (
  'AF AL DE AD AO AI AQ AG SA DZ AR AM AW AU AT AZ BS BH BD BB BE BZ BJ BM BY BO BA BW BV BR BN BG BF BI BT CV KY KH CM CA CF CC ' +
  'CO KM CG CD CK KP KR CI CR HR CU TD CZ CL CN CY CW DK DM DO EC EG AE ER SK SI ES US EE ET FO PH FI FJ FR GA GM GE GS GH GI GD ' +
  'GR GL GU GT GG GN GQ GW GY HT HM HN HK HU IN ID IR IQ IE IM IS IL IT JM JP JE JO KZ KE KG KI KW LA LS LV LB LR LY LI LT LU MO ' +
  'MK MG MY MW MV ML MT FK MP MA MH MU MR YT UM MX FM MD MC MN ME MS MZ MM NA NR CX NP NI NE NG NU NF NO NC NZ IO OM NL BQ PK PW ' +
  'PA PG PY PE PN PF PL PT PR QA GB RW RO RU SB SV WS AS KN SM SX PM VC SH LC ST SN RS SC SL SG SY SO LK SZ ZA SD SS SE CH SR TH ' +
  'TW TZ TJ PS TF TL TG TK TO TT TN TC TM TR TV UA UG UY UZ VU VA VE VN VG VI WF YE DJ ZM ZW'
).split(' ');

/**
 * What follows the prefix of a VAT number, by prefix: what the agency takes (`Validaciones y errores`, note 1), as far as a state
 * issues such numbers (VIES). The agency takes any letters of some states, by which it cannot find them.
 */
const vatForms: Readonly<Record<string, RegExp>> = {
  DE: /^\d{9}$/,
  AT: /^U\d{8}$/,
  BE: /^[01]\d{9}$/,
  CY: /^\d{8}[A-Z]$/,
  CZ: /^\d{8,10}$/,
  HR: /^\d{11}$/,
  DK: /^\d{8}$/,
  SK: /^\d{10}$/,
  SI: /^\d{8}$/,
  EE: /^\d{9}$/,
  FI: /^\d{8}$/,
  FR: /^[0-9A-Z]{2}\d{9}$/,
  EL: /^\d{9}$/,
  XI: /^(\d{9}|\d{12}|(GD|HA)\d{3})$/,
  NL: /^[0-9A-Z]{12}$/,
  HU: /^\d{8}$/,
  IT: /^\d{11}$/,
  IE: /^(\d[0-9A-Z]\d{5}[A-Z]|\d{7}[A-W][A-I])$/,
  LV: /^\d{11}$/,
  LT: /^(\d{9}|\d{12})$/,
  LU: /^\d{8}$/,
  MT: /^\d{8}$/,
  PL: /^\d{10}$/,
  PT: /^\d{9}$/,
  SE: /^\d{12}$/,
  BG: /^\d{9,10}$/,
  RO: /^[1-9]\d{1,9}$/,
};

const isVatNumber = (id: string): boolean => vatForms[id.slice(0, 2)]?.test(id.slice(2)) === true;

/** True for a number that the agency takes for the recipient of a full invoice. */
export function isRecipientId({ tax_id: id, id_type: type }: RecipientId): boolean {
  if (type === undefined) return isTaxId(id);
  return type === '02' ? isVatNumber(id) : id !== '' && id.length <= 20;
}

/** True for a country of the agency's list. A Spaniard without a NIF has a travel document. */
export const isRecipientCountry = ({ id_type: type, country }: RecipientId): boolean =>
  type === undefined ? country === undefined : countries.includes(country ?? '') && (country !== 'ES' || type === '03');
