/** What a manager can do about an error of the tax agency. */

export const agencyAdvice = [
  'duplicate',
  'cancelled_before',
  'not_there',
  'recipient',
  'chain',
  'clock',
  'amounts',
  'certificate',
  'schema',
  'rejected',
  'errors',
] as const;
export type AgencyAdvice = (typeof agencyAdvice)[number];

/** The agency's numbers of errors that have an advice of their own. */
const byCode: Readonly<Record<number, AgencyAdvice>> = {
  1123: 'recipient',
  2000: 'chain',
  2001: 'recipient',
  2002: 'chain',
  2003: 'chain',
  2004: 'clock',
  2005: 'amounts',
  2006: 'amounts',
  2007: 'chain',
  3000: 'duplicate',
  3001: 'cancelled_before',
  3002: 'not_there',
  3003: 'certificate',
  4102: 'schema',
  4104: 'certificate',
  4112: 'certificate',
};

/** @param code the agency's number of the error; null when it gave none */
export const adviceOn = (state: 'rejected' | 'accepted_with_errors', code: number | null): AgencyAdvice =>
  byCode[code ?? 0] ?? (state === 'rejected' ? 'rejected' : 'errors');
