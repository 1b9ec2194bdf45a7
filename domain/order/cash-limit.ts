import { minorToWire } from '../money.ts';
import type { ClinicSettings } from '../settings/settings.ts';
import type { OddFact } from './odd-facts.ts';
import type { Order } from './order.ts';

/** From this amount on cash is forbidden where one side is a business (Law 7/2012, article 7). */
const cashLimitMinor = 1000_00;

type Profile = Pick<ClinicSettings, 'tax_profile'>;
type Paid = Pick<Order, 'payments'>;

/** Returns the cash of a treatment: what was taken, less what was given back. */
const cashOf = ({ payments }: Paid): number =>
  payments.reduce((sum, { method, amountMinor }) => sum + (method === 'cash' ? amountMinor : 0), 0);

/** Returns the cash that was given back of a treatment, a positive amount. */
const cashBackOf = ({ payments }: Paid): number =>
  payments.reduce((sum, { method, amountMinor }) => sum - (method === 'cash' ? Math.min(amountMinor, 0) : 0), 0);

/**
 * True when so much more cash reaches the limit for a treatment in Spain. The parts of one price count together; what
 * was given back in cash is not counted.
 */
export const reachesCashLimit = ({ tax_profile }: Profile, order: Paid, cashMinor: number): boolean =>
  tax_profile !== 'none' && cashOf(order) + cashMinor >= cashLimitMinor;

/** True when a refund of so much cash reaches it: the parts that are given back count together, too. */
export const refundReachesCashLimit = ({ tax_profile }: Profile, order: Paid, cashMinor: number): boolean =>
  tax_profile !== 'none' && cashMinor > 0 && cashBackOf(order) + cashMinor >= cashLimitMinor;

/**
 * Names cash that reaches the limit, taken or given back: a payment over REST asks nobody, and a tablet may have asked.
 * It has moved, so it is recorded all the same.
 *
 * @param order the treatment with this payment or refund
 */
export function oddCash(settings: Profile, order: Order, opId: string): OddFact[] {
  const own = order.payments.find((payment) => payment.opId === opId);
  if (own?.method !== 'cash' || own.amountMinor === 0) return [];
  const isRefund = own.amountMinor < 0;
  if (
    !(isRefund ? refundReachesCashLimit : reachesCashLimit)(
      settings,
      withoutOwn(order, opId),
      Math.abs(own.amountMinor),
    )
  )
    return [];
  const stated = minorToWire(isRefund ? cashBackOf(order) : cashOf(order));
  return [{ kind: 'cash_limit', details: { number: order.number, stated, currency: order.currency } }];
}

const withoutOwn = ({ payments }: Paid, opId: string): Paid => ({
  payments: payments.filter((payment) => payment.opId !== opId),
});
