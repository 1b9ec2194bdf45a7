import type { TFunction } from 'i18next';
import { currencyLabel, formatMinor, minorFromWire } from '#domain/money.ts';
import type { PlanDiscount } from '#domain/order/discount.ts';
import { isReasonTooShort } from '#domain/reason.ts';
import { accept, refuse } from '#domain/result.ts';
import type { Refusal, Result } from '#domain/result.ts';
import { requestApproval } from '#src/approval/approval.ts';
import type { Approver } from '#src/db/proof.ts';
import { clinicSettings } from '#src/db/singletons.ts';
import { db } from '#src/local-data/database.ts';

/**
 * Has a manager approve a discount above the limit, when the treatment is created: their approval covers the whole
 * treatment, which is complete only now. Returns null when nobody approves.
 */
export async function approveDiscount(
  t: TFunction,
  { reason }: PlanDiscount,
  { details }: Refusal,
): Promise<Result<Approver> | null> {
  // Before the manager is called.
  if (isReasonTooShort(reason)) return refuse('REASON_REQUIRED');
  const { currency } = await clinicSettings(db);
  const money = (wire: unknown) => formatMinor(minorFromWire(Number(wire)), currencyLabel(currency));
  const approver = await requestApproval({
    action: 'order.discount_any',
    title: t('counter.discount.approve', { discount: money(details?.['discount']) }),
    text: t('counter.discount.approveText', { subtotal: money(details?.['subtotal']), reason }),
  });
  return approver && accept(approver);
}
