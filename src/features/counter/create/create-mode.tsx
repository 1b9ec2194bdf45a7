import { ClipboardList } from 'lucide-react';
import { Suspense, useMemo, useState } from 'react';
import type { RefObject } from 'react';
import { useTranslation } from 'react-i18next';
import { currencyLabel, formatMinor } from '#domain/money.ts';
import { Button } from '#src/ui/button.tsx';
import { loadLater } from '#src/ui/load-later.tsx';
import { useEver } from '#src/ui/use-ever.ts';
import text from '#src/ui/text.module.css';
import { currentDraft, usePlan } from '../plan-store.ts';
import { useCurrency } from '#src/local-data/use-clinic-settings.ts';
import { usePricedPlan } from '../use-priced-plan.ts';
import { Catalogue } from './catalogue.tsx';
import styles from './create-mode.module.css';
import { usePlanDialog } from './plan-dialog-store.ts';
import { PlanPanel } from './plan-panel.tsx';
import type { PlanActions } from './use-plan-actions.ts';

const MovingSheet = loadLater(async () => (await import('#src/ui/moving-sheet.tsx')).MovingSheet);
const PlanDialogs = loadLater(async () => (await import('./plan-dialogs.tsx')).PlanDialogs);

interface CreateModeProps {
  actions: PlanActions;
  isWide: boolean;
  searchRef: RefObject<HTMLInputElement | null>;
}

/**
 * Shows the catalogue on the left and the plan on the right, or in a sheet on small screens. Each side subscribes to its
 * own state, so that typing in the search box does not render the plan, and a new line does not render the catalogue.
 */
export function CreateMode({ actions, isWide, searchRef }: CreateModeProps) {
  const dialogsWanted = useEver(usePlanDialog(({ dialog }) => dialog !== null));
  return (
    <div className={isWide ? styles['beside'] : styles['above']}>
      <Catalogue searchRef={searchRef} />
      {isWide ? <PlanAside actions={actions} /> : <PlanSheet actions={actions} />}
      <Suspense fallback={null}>{dialogsWanted && <PlanDialogs />}</Suspense>
    </div>
  );
}

function PlanAside({ actions }: { actions: PlanActions }) {
  const plan = usePricedPlan();
  const currency = useCurrency();
  return (
    <aside className={styles['aside']}>
      <PlanPanel plan={plan} currency={currency} actions={actions} />
    </aside>
  );
}

function PlanSheet({ actions }: { actions: PlanActions }) {
  const { t } = useTranslation();
  const plan = usePricedPlan();
  const currency = useCurrency();
  const [open, setOpen] = useState(false);
  const sheetWanted = useEver(open);
  const sheetActions = useMemo(
    () => ({
      ...actions,
      save: async () => {
        await actions.save();
        if (currentDraft(usePlan.getState()).lines.length === 0) setOpen(false);
      },
    }),
    [actions],
  );
  return (
    <>
      <div className={styles['foot']} data-foot>
        <Button variant="primary" size="lg" wide className={styles['open']} onClick={() => setOpen(true)}>
          <ClipboardList />
          <span className={text['srOnly']}>{t('counter.plan.open')}</span>
          <span className={styles['count']}>{t('counter.plan.services', { count: plan.serviceCount })}</span>
          <span className={styles['total']}>{formatMinor(plan.totalMinor, currencyLabel(currency))}</span>
        </Button>
      </div>
      <Suspense fallback={null}>
        {sheetWanted && (
          <MovingSheet
            open={open}
            onClose={() => setOpen(false)}
            title={t('counter.plan.title')}
            closeLabel={t('counter.plan.close')}
          >
            <div className={styles['sheet']}>
              <PlanPanel plan={plan} currency={currency} actions={sheetActions} />
            </div>
          </MovingSheet>
        )}
      </Suspense>
    </>
  );
}
