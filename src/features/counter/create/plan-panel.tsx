import { chakra, Flex } from '@chakra-ui/react';
import { memo, Suspense } from 'react';
import { useTranslation } from 'react-i18next';
import { currencyLabel, formatMinor } from '../../../../domain/money.ts';
import { MoneyText } from '../../../formats/money.tsx';
import { Button } from '../../../ui/button.tsx';
import { loadLater } from '../../../ui/load-later.tsx';
import { toast } from '../../../ui/toaster.tsx';
import { commandKey, KeyHint } from '../keyboard-shortcuts.tsx';
import { usePlan } from '../plan-store.ts';
import { useMay } from '../../../session/session.ts';
import type { PricedPlan } from '../use-priced-plan.ts';
import { PlanList } from './plan-list.tsx';
import { useRemoveLine } from './use-remove-line.ts';
import type { PlanActions } from './use-plan-actions.ts';

export const PlanPatient = loadLater(async () => (await import('../patients/plan-patient.tsx')).PlanPatient);
export const PlanExtras = loadLater(async () => (await import('./plan-extras.tsx')).PlanExtras);

interface PlanPanelProps {
  plan: PricedPlan;
  currency: string;
  actions: PlanActions;
}

/**
 * Shows the treatment plan: customer, services, total, and the buttons that save it. Every part has its place from the
 * start, and only the list takes what is left: nothing moves while a plan is made.
 */
export function PlanPanel({ plan, currency, actions }: PlanPanelProps) {
  const remove = useRemoveLine();
  const { existing } = plan;
  return (
    <Flex direction="column" height="full" minHeight="0" gap="2" px="4" py="3">
      <PlanHead isEmpty={plan.lines.length === 0} number={existing?.number} customerName={existing?.customerName} />
      <PlanList plan={plan} currency={currency} onRemove={remove} />
      <chakra.div height="12" flexShrink={0}>
        <Suspense fallback={null}>
          <PlanExtras plan={plan} currency={currency} />
        </Suspense>
      </chakra.div>
      <PlanTotal plan={plan} currency={currency} />
      <PlanButtons actions={actions} />
    </Flex>
  );
}

const PlanButtons = memo(function PlanButtons({ actions: { pending, save, saveAndPay } }: { actions: PlanActions }) {
  const { t } = useTranslation();
  const editing = usePlan((state) => state.editingId !== null);
  const mayCreate = useMay('order.create');
  const mayPay = useMay('order.pay');
  if (!mayCreate) return <chakra.p color="fg.muted">{t('errors.FORBIDDEN')}</chakra.p>;
  return (
    <Flex direction="column" gap="2" flexShrink={0}>
      {mayPay && (
        <Button variant="primary" wide minHeight="14" px="2" disabled={pending} onClick={() => void saveAndPay()}>
          {editing ? t('counter.plan.addAndPay') : t('counter.plan.createAndPay')}
          <chakra.span hideBelow="lg">
            <KeyHint keys={[commandKey, '↵']} />
          </chakra.span>
        </Button>
      )}
      <Button variant={mayPay ? 'secondary' : 'primary'} wide disabled={pending} onClick={() => void save()}>
        {editing ? t('counter.plan.add') : t('counter.plan.create')}
      </Button>
    </Flex>
  );
});

interface PlanHeadProps {
  isEmpty: boolean;
  /** Number of the treatment that is being added to; undefined until it is loaded. */
  number: string | undefined;
  customerName: string | undefined;
}

const PlanHead = memo(function PlanHead({ isEmpty, number = '', customerName }: PlanHeadProps) {
  const { t } = useTranslation();
  const editing = usePlan((state) => state.editingId !== null);

  function clear() {
    const undo = usePlan.getState().clearDraft();
    if (undo) offerUndo(t('counter.plan.cleared'), undo);
  }
  function stop() {
    const undo = usePlan.getState().stopAdding();
    if (!isEmpty) offerUndo(t('counter.plan.stopped', { number }), undo);
  }
  function offerUndo(title: string, onClick: () => void) {
    toast({ tone: 'info', title, action: { label: t('counter.plan.undo'), onClick } });
  }

  return (
    <Flex align="center" justify="space-between" gap="2" height="12" flexShrink={0}>
      {editing ? (
        <chakra.div minWidth="0" lineHeight="1.3">
          <chakra.h2 fontWeight="semibold" truncate>
            {t('counter.plan.adding', { number })}
          </chakra.h2>
          <chakra.p fontSize="sm" color="fg.muted" truncate>
            {customerName}
          </chakra.p>
        </chakra.div>
      ) : (
        <>
          <chakra.h2 srOnly>{t('counter.plan.title')}</chakra.h2>
          <chakra.div flex="1" minWidth="0" height="12">
            <Suspense fallback={null}>
              <PlanPatient />
            </Suspense>
          </chakra.div>
        </>
      )}
      <Button variant="quiet" px="2" me="-2" color="fg.muted" onClick={editing ? stop : clear}>
        {editing ? t('counter.plan.stopAdding') : t('counter.plan.clear')}
      </Button>
    </Flex>
  );
});

function PlanTotal({ plan, currency }: { plan: PricedPlan; currency: string }) {
  const { t } = useTranslation();
  const { serviceCount, totalMinor, addedMinor, discountMinor, existing } = plan;
  const money = (minor: number) => formatMinor(minor, currencyLabel(currency));
  const total = money(totalMinor);
  let sum = t('counter.plan.services', { count: serviceCount });
  if (existing) {
    sum = `${t('counter.plan.existingTotal')} ${money(existing.totalMinor)} · ${t('counter.plan.addedTotal')} ${money(addedMinor)}`;
  } else if (discountMinor > 0) sum += ` · ${money(addedMinor)} − ${money(discountMinor)}`;
  return (
    <chakra.div flexShrink={0} pt="1" borderTopWidth="1px" borderColor="border" fontVariantNumeric="tabular-nums">
      <Flex align="baseline" justify="space-between" gap="2">
        <chakra.span fontWeight="medium">{t('counter.plan.total')}</chakra.span>
        <MoneyText
          // A new element: a longer amount in the old one would move to the left.
          key={total}
          minor={totalMinor}
          currency={currency}
          fontSize="xl"
          fontWeight="semibold"
          lineHeight="1.2"
          letterSpacing="tight"
        />
      </Flex>
      <chakra.p fontSize="sm" lineHeight="1.3" color="fg.muted" truncate>
        {sum}
      </chakra.p>
      <chakra.output display="block" srOnly>
        {serviceCount > 0 ? t('counter.plan.announce', { count: serviceCount, total }) : ''}
      </chakra.output>
    </chakra.div>
  );
}
