import { memo, Suspense } from 'react';
import { useTranslation } from 'react-i18next';
import { currencyLabel, formatMinor } from '#domain/money.ts';
import { Button } from '#src/ui/button.tsx';
import { classes } from '#src/ui/classes.ts';
import { loadPlain } from '#src/ui/load-later.tsx';
import text from '#src/ui/text.module.css';
import { toast } from '#src/ui/toaster.tsx';
import { commandKey, KeyHint } from '../keyboard-shortcuts.tsx';
import { usePlan } from '../plan-store.ts';
import { useMay } from '#src/session/session.ts';
import type { PricedPlan } from '../use-priced-plan.ts';
import { PlanList } from './plan-list.tsx';
import styles from './plan-panel.module.css';
import { useRemoveLine } from './use-remove-line.ts';
import type { PlanActions } from './use-plan-actions.ts';

export const PlanPatient = loadPlain(async () => (await import('../patients/plan-patient.tsx')).PlanPatient);
export const PlanExtras = loadPlain(async () => (await import('./plan-extras.tsx')).PlanExtras);

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
    <div className={styles['panel']}>
      <PlanHead isEmpty={plan.lines.length === 0} number={existing?.number} customerName={existing?.customerName} />
      <PlanList plan={plan} currency={currency} onRemove={remove} />
      <div className={styles['extras']}>
        <Suspense fallback={null}>
          <PlanExtras plan={plan} currency={currency} />
        </Suspense>
      </div>
      <PlanTotal plan={plan} currency={currency} />
      <PlanButtons actions={actions} />
    </div>
  );
}

const PlanButtons = memo(function PlanButtons({ actions: { pending, save, saveAndPay } }: { actions: PlanActions }) {
  const { t } = useTranslation();
  const editing = usePlan((state) => state.editingId !== null);
  const mayCreate = useMay('order.create');
  const mayPay = useMay('order.pay');
  if (!mayCreate) return <p className={styles['forbidden']}>{t('errors.FORBIDDEN')}</p>;
  return (
    <div className={styles['buttons']}>
      {mayPay && (
        <Button variant="primary" wide className={styles['pay']} disabled={pending} onClick={() => void saveAndPay()}>
          {editing ? t('counter.plan.addAndPay') : t('counter.plan.createAndPay')}
          <span className={styles['keys']}>
            <KeyHint keys={[commandKey, '↵']} />
          </span>
        </Button>
      )}
      <Button variant={mayPay ? 'secondary' : 'primary'} wide disabled={pending} onClick={() => void save()}>
        {editing ? t('counter.plan.add') : t('counter.plan.create')}
      </Button>
    </div>
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
    <div className={styles['head']}>
      {editing ? (
        <div className={styles['editing']}>
          <h2 className={text['truncate']}>{t('counter.plan.adding', { number })}</h2>
          <p className={text['truncate']}>{customerName}</p>
        </div>
      ) : (
        <>
          <h2 className={text['srOnly']}>{t('counter.plan.title')}</h2>
          <div className={styles['patient']}>
            <Suspense fallback={null}>
              <PlanPatient />
            </Suspense>
          </div>
        </>
      )}
      <Button variant="quiet" className={styles['clear']} onClick={editing ? stop : clear}>
        {editing ? t('counter.plan.stopAdding') : t('counter.plan.clear')}
      </Button>
    </div>
  );
});

function PlanTotal({ plan, currency }: { plan: PricedPlan; currency: string }) {
  const { t } = useTranslation();
  const { serviceCount, totalMinor, addedMinor, discountMinor, existing } = plan;
  const money = (minor: number) => formatMinor(minor, currencyLabel(currency));
  const total = money(totalMinor);
  let sum = t('counter.plan.services', { count: serviceCount });
  if (existing) {
    sum = `${t('counter.plan.existingTotal')} ${money(existing.owedMinor)} · ${t('counter.plan.addedTotal')} ${money(addedMinor)}`;
  } else if (discountMinor > 0) sum += ` · ${money(addedMinor)} · ${money(-discountMinor)}`;
  return (
    <div className={styles['sum']}>
      <div className={styles['total']}>
        <span>{t('counter.plan.total')}</span>
        {/* A new element: a longer amount in the old one would move to the left. */}
        <strong key={total}>{total}</strong>
      </div>
      <p className={classes(styles['parts'], text['truncate'])}>{sum}</p>
      <output className={text['srOnly']}>
        {serviceCount > 0 ? t('counter.plan.announce', { count: serviceCount, total }) : ''}
      </output>
    </div>
  );
}
