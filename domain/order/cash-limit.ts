import type { ClinicSettings } from '../settings/settings.ts';
import type { Order } from './order.ts';

/** From this amount on cash is forbidden where one side is a business (Law 7/2012, article 7). */
export const cashLimitMinor = 1000_00;

/**
 * True when so much more cash reaches the limit for a treatment in Spain. The parts of one price count together; what
 * was given back in cash is not counted.
 */
export const reachesCashLimit = (
  { tax_profile }: Pick<ClinicSettings, 'tax_profile'>,
  { payments }: Pick<Order, 'payments'>,
  cashMinor: number,
): boolean =>
  tax_profile !== 'none' &&
  payments.reduce((sum, { method, amountMinor }) => sum + (method === 'cash' ? amountMinor : 0), cashMinor) >=
    cashLimitMinor;
