import { chakra, Flex } from '@chakra-ui/react';
import { BadgePercent } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { PlanDiscount } from '../../../../domain/order/discount.ts';
import { isReasonTooShort } from '../../../../domain/reason.ts';
import { MoneyText } from '../../../formats/money.tsx';
import { Button } from '../../../ui/button.tsx';
import { currentDraft, usePlan } from '../plan-store.ts';
import type { PricedPlan } from '../use-priced-plan.ts';
import { DiscountDialog } from './discount-dialog.tsx';
import { PlanRoom } from './plan-room.tsx';
import { useDiscountLimit } from './use-discount-limit.ts';

interface PlanSumsProps {
  plan: PricedPlan;
  currency: string;
}

/** Shows the rows above the total: both subtotals when adding to a treatment, else the discount and the room. */
export function PlanSubtotals({ plan, currency }: PlanSumsProps) {
  const { t } = useTranslation();
  const { existing, addedMinor } = plan;
  if (existing) {
    return (
      <>
        <Subtotal label={t('counter.plan.existingTotal')} minor={existing.totalMinor} currency={currency} />
        <Subtotal label={t('counter.plan.addedTotal')} minor={addedMinor} currency={currency} />
      </>
    );
  }
  return <DiscountAndRoom plan={plan} currency={currency} />;
}

function DiscountAndRoom({ plan: { addedMinor, discountMinor }, currency }: PlanSumsProps) {
  const { t } = useTranslation();
  const { discount } = usePlan(currentDraft);
  const [open, setOpen] = useState(false);
  const { limit, isOver, needsApproval } = useDiscountLimit(addedMinor, currency);
  const lacksReason = discount && isOver(discountMinor) && isReasonTooShort(discount.reason);
  const approval = discount && needsApproval(discountMinor);
  return (
    <>
      {discount && (
        <>
          <Subtotal label={t('counter.plan.subtotal')} minor={addedMinor} currency={currency} />
          <Flex justify="space-between" align="center" gap="3" mb="1" fontSize="sm">
            <Button
              variant="quiet"
              px="2"
              ms="-2"
              fontSize="sm"
              aria-label={t('counter.discount.change')}
              onClick={() => setOpen(true)}
            >
              <BadgePercent />
              <DiscountName discount={discount} />
            </Button>
            <MoneyText minor={-discountMinor} currency={currency} />
          </Flex>
          {(lacksReason || approval) && (
            <chakra.output display="block" fontSize="sm" color={lacksReason ? 'refused.fg' : 'due.fg'} pb="2">
              {lacksReason ? t('counter.discount.reasonShort', { limit }) : approval}
            </chakra.output>
          )}
        </>
      )}
      <Flex mx="-2" mt="-2" gap="1">
        {!discount && (
          <Button variant="quiet" px="2" fontSize="sm" color="fg.muted" onClick={() => setOpen(true)}>
            <BadgePercent />
            {t('counter.discount.add')}
          </Button>
        )}
        <PlanRoom />
      </Flex>
      {open && <DiscountDialog subtotalMinor={addedMinor} currency={currency} onClose={() => setOpen(false)} />}
    </>
  );
}

function DiscountName({ discount }: { discount: PlanDiscount }) {
  const { t } = useTranslation();
  const { percent } = useDiscountLimit(0, '');
  return (
    <span>
      {discount.kind === 'percent'
        ? t('counter.discount.ofPercent', { percent: percent(discount.bps / 100) })
        : t('counter.discount.label')}
    </span>
  );
}

function Subtotal({ label, minor, currency }: { label: string; minor: number; currency: string }) {
  return (
    <Flex justify="space-between" fontSize="sm" color="fg.muted" pb="1">
      <span>{label}</span>
      <MoneyText minor={minor} currency={currency} />
    </Flex>
  );
}
