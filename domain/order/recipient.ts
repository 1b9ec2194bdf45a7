/** The form of a full invoice's recipient. */
import { isPostalCode } from '../fiscal/domicile.ts';
import { isTaxId, normalTaxId } from '../fiscal/tax-id.ts';
import type { Problems } from '../problems.ts';
import type { Recipient } from './tax-document.ts';

export const recipientLimits = { name: 200, address: 200, city: 100 } as const;

/** Returns what was typed as it stands on the invoice. */
export const tidyRecipient = (typed: Recipient): Recipient => ({
  name: typed.name.trim(),
  tax_id: normalTaxId(typed.tax_id),
  address: typed.address.trim(),
  postal_code: typed.postal_code.trim(),
  city: typed.city.trim(),
});

export function recipientProblems(recipient: Recipient): Problems<keyof Recipient> {
  const problems: Problems<keyof Recipient> = {};
  for (const field of ['name', 'address', 'city'] as const) {
    if (recipient[field] === '') problems[field] = 'REQUIRED';
    else if (recipient[field].length > recipientLimits[field]) problems[field] = 'TOO_LONG';
  }
  if (!isTaxId(recipient.tax_id)) problems.tax_id = 'TAX_ID_INVALID';
  if (!isPostalCode(recipient.postal_code)) problems.postal_code = 'POSTAL_CODE_INVALID';
  return problems;
}
