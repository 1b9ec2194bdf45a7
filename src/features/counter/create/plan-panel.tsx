import { chakra, Flex } from '@chakra-ui/react';
import { X } from 'lucide-react';
import { memo, Suspense } from 'react';
import { useTranslation } from 'react-i18next';
import { currencyLabel, formatMinor } from '../../../../domain/money.ts';
import { MoneyText } from '../../../formats/money.tsx';
import { Button } from '../../../ui/button.tsx';
import { loadLater } from '../../../ui/load-later.tsx';
import { TextField } from '../../../ui/text-field.tsx';
import { toast } from '../../../ui/toaster.tsx';
import { commandKey, KeyHint } from '../keyboard-shortcuts.tsx';
import { currentDraft, usePlan } from '../plan-store.ts';
import { useMay } from '../../../session/session.ts';
import type { PricedPlan } from '../use-priced-plan.ts';
import { PlanList } from './plan-list.tsx';
import { useRemoveLine } from './use-remove-line.ts';
import type { PlanActions } from './use-plan-actions.ts';

export const PlanPatient = loadLater(async () => (await import('../patients/plan-patient.tsx')).PlanPatient);
/** Loads in a chunk of its own: an empty plan does not show it. */
export const PlanSubtotals = loadLater(async () => (await import('./plan-subtotals.tsx')).PlanSubtotals);

interface PlanPanelProps {
  plan: PricedPlan;
  currency: string;
  actions: PlanActions;
  /** True in the sheet of small screens, which has its own title. */
  titleHidden?: boolean;
}

/**
 * Shows the treatment plan: customer, services, total, and the buttons that save it. The panel renders with every added
 * service; the parts that do not depend on the services are memoised.
 */
export function PlanPanel({ plan, currency, actions, titleHidden = false }: PlanPanelProps) {
  const editingId = usePlan((state) => state.editingId);
  const remove = useRemoveLine();
  return (
    <Flex direction="column" height="full" minHeight="0" gap="3" p="4" pt={titleHidden ? '3' : '4'}>
      <PlanHead isEmpty={plan.lines.length === 0} existingNumber={plan.existing?.number} titleHidden={titleHidden} />
      {editingId ? (
        plan.existing?.customerName && <chakra.p fontWeight="medium">{plan.existing.customerName}</chakra.p>
      ) : (
        <Suspense fallback={<chakra.div minHeight="12" />}>
          <PlanPatient />
        </Suspense>
      )}
      <PlanList plan={plan} currency={currency} onRemove={remove} />
      <PlanNotes />
      <PlanTotal plan={plan} currency={currency} />
      <PlanButtons actions={actions} />
    </Flex>
  );
}

const PlanNotes = memo(function PlanNotes() {
  const { t } = useTranslation();
  const notes = usePlan((state) => currentDraft(state).notes);
  return (
    <TextField
      label={t('counter.plan.notes')}
      labelHidden
      placeholder={t('counter.plan.notesPlaceholder')}
      maxLength={2000}
      autoComplete="off"
      value={notes}
      onChange={(event) => usePlan.getState().setNotes(event.target.value)}
    />
  );
});

const PlanButtons = memo(function PlanButtons({ actions: { pending, save, saveAndPay } }: { actions: PlanActions }) {
  const { t } = useTranslation();
  const editing = usePlan((state) => state.editingId !== null);
  const mayCreate = useMay('order.create');
  const mayPay = useMay('order.pay');
  if (!mayCreate) return <chakra.p color="fg.muted">{t('errors.FORBIDDEN')}</chakra.p>;
  return (
    <Flex direction="column" gap="2">
      {mayPay && (
        <Button variant="primary" size="lg" wide disabled={pending} onClick={() => void saveAndPay()}>
          {editing ? t('counter.plan.addAndPay') : t('counter.plan.createAndPay')}
          <KeyHint keys={[commandKey, '↵']} />
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
  existingNumber: string | undefined;
  titleHidden: boolean;
}

const PlanHead = memo(function PlanHead({ isEmpty, existingNumber, titleHidden }: PlanHeadProps) {
  const { t } = useTranslation();
  const editingId = usePlan((state) => state.editingId);
  const title = editingId ? t('counter.plan.adding', { number: existingNumber ?? '' }) : t('counter.plan.title');
  return (
    <Flex align="center" justify="space-between" gap="2" minHeight="12" my={titleHidden ? '-2' : '-1'}>
      <chakra.h2 fontWeight="semibold" lineHeight="1.3" srOnly={titleHidden && !editingId}>
        {title}
      </chakra.h2>
      {editingId ? (
        <Button variant="quiet" size="md" mr="-2" onClick={() => usePlan.getState().closeDraft()}>
          <X />
          {t('counter.plan.stopAdding')}
        </Button>
      ) : (
        !isEmpty && <ClearButton />
      )}
    </Flex>
  );
});

function ClearButton() {
  const { t } = useTranslation();
  function clear() {
    const restoreLines = usePlan.getState().clearLines();
    toast({
      tone: 'info',
      title: t('counter.plan.cleared'),
      action: { label: t('counter.plan.undo'), onClick: restoreLines },
    });
  }
  return (
    <Button variant="quiet" color="fg.muted" mr="-2" ml="auto" onClick={clear}>
      {t('counter.plan.clear')}
    </Button>
  );
}

function PlanTotal({ plan, currency }: { plan: PricedPlan; currency: string }) {
  const { t } = useTranslation();
  const { serviceCount, totalMinor } = plan;
  const total = formatMinor(totalMinor, currencyLabel(currency));
  return (
    <Flex direction="column" borderTopWidth="1px" borderColor="border" pt="3">
      {(plan.existing ?? plan.lines.length > 0) && (
        <Suspense fallback={null}>
          <PlanSubtotals plan={plan} currency={currency} />
        </Suspense>
      )}
      <Flex align="baseline" justify="space-between" gap="3">
        <Flex direction="column" fontSize="sm" color="fg.muted" lineHeight="1.4">
          <chakra.span fontSize="md" fontWeight="medium" color="fg">
            {t('counter.plan.total')}
          </chakra.span>
          <span>{t('counter.plan.services', { count: serviceCount })}</span>
        </Flex>
        <MoneyText
          minor={totalMinor}
          currency={currency}
          fontSize="xl"
          fontWeight="semibold"
          lineHeight="1.2"
          letterSpacing="tight"
        />
      </Flex>
      <chakra.output display="block" srOnly>
        {serviceCount > 0 ? t('counter.plan.announce', { count: serviceCount, total }) : ''}
      </chakra.output>
    </Flex>
  );
}
