/** The form of a full invoice's recipient, on tablets and at the server. */
import { isPostalCode } from './domicile.ts';
import { isRecipientCountry, isRecipientId } from './recipient-id.ts';
import { normalTaxId } from './tax-id.ts';
import { textLimits } from '../limits.ts';
import type { Problems } from '../problems.ts';
import type { Recipient } from './document.ts';

export const recipientLimits = { name: textLimits.name, address: 200, city: 100 };

export const blankRecipient: Recipient = { name: '', tax_id: '', address: '', postal_code: '', city: '' };

/** Returns what was typed in the form that the invoice shows. */
export const tidyRecipient = (typed: Recipient): Recipient => ({
  name: typed.name.trim(),
  tax_id: typed.id_type === undefined ? normalTaxId(typed.tax_id) : tidyId(typed.tax_id),
  address: typed.address.trim(),
  postal_code: typed.postal_code.trim(),
  city: typed.city.trim(),
  ...(typed.id_type !== undefined && { id_type: typed.id_type, country: typed.country ?? '' }),
});

const tidyId = (typed: string): string => typed.toUpperCase().replaceAll(/[\s.\-/]/g, '');

/**
 * Returns the problems of what is stated of a recipient whom no invoice names yet. A full invoice asks for what is missing.
 */
export function statedRecipientProblems(recipient: Recipient): Problems<keyof Recipient> {
  const isStated = (field: string) => Boolean(recipient[field === 'country' ? 'tax_id' : (field as keyof Recipient)]);
  return Object.fromEntries(Object.entries(recipientProblems(recipient)).filter(([field]) => isStated(field)));
}

export function recipientProblems(recipient: Recipient): Problems<keyof Recipient> {
  const problems: Problems<keyof Recipient> = {};
  const isForeign = recipient.id_type !== undefined;
  for (const field of ['name', 'address', 'city'] as const) {
    if (recipient[field] === '' && !(isForeign && field === 'city')) problems[field] = 'REQUIRED';
    else if (recipient[field].length > recipientLimits[field]) problems[field] = 'TOO_LONG';
  }
  if (!isRecipientId(recipient)) problems.tax_id = isForeign ? 'FOREIGN_ID_INVALID' : 'TAX_ID_INVALID';
  if (!isRecipientCountry(recipient)) problems.country = 'COUNTRY_REQUIRED';
  if (!isForeign && !isPostalCode(recipient.postal_code)) problems.postal_code = 'POSTAL_CODE_INVALID';
  return problems;
}
