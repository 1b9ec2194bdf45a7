import { History } from 'lucide-react';
import { Suspense, useEffect, useLayoutEffect, useRef, useState } from 'react';
import type { ReactNode } from 'react';
import { flushSync } from 'react-dom';
import { useTranslation } from 'react-i18next';
import { useSearchParams } from 'react-router-dom';
import { announceInput } from '#src/db/people-first.ts';
import { useMay } from '#src/session/session.ts';
import { loadWhenIdle } from '#src/ui/when-idle.ts';
import { Button } from '#src/ui/button.tsx';
import { loadLater } from '#src/ui/load-later.tsx';
import { mediaQuery } from '#src/ui/media-query.ts';
import { Segmented } from '#src/ui/segmented.tsx';
import { useEver } from '#src/ui/use-ever.ts';
import { ToastBar } from '#src/ui/toaster.tsx';
import text from '#src/ui/text.module.css';
import styles from './counter-screen.module.css';
import { additionsSettled } from './pending-additions.ts';
import { CreateMode } from './create/create-mode.tsx';
import { PlanExtras, PlanPatient } from './create/plan-panel.tsx';
import { prefetchServices } from './create/use-catalogue-search.ts';
import { loadCommands, usePlanActions } from './create/use-plan-actions.ts';
import { useShortcuts } from './keyboard-shortcuts.tsx';
import { currentDraft, usePlan } from './plan-store.ts';
import type { CounterMode } from './plan-store.ts';
import { reportSaleInProgress } from './sale-in-progress.ts';
import { useScannedServices } from './use-scanned-services.ts';

const panelId = 'counter-mode';

const PaymentMode = loadLater(async () => (await import('./payment/payment-mode.tsx')).PaymentMode);
const ChangeDialog = loadLater(async () => (await import('./payment/change-dialog.tsx')).ChangeDialog);
const SalesDrawer = loadLater(async () => (await import('./sales/sales-drawer.tsx')).SalesDrawer);
const loadDocument = () => import('#src/printing/print-target.ts');
const preparePrinting = async () => (await import('#src/printing/prepare-printing.ts')).preparePrinting();

// Code for the later steps loads when the browser is idle, so that the first screen does not wait for it.
const idleLoads = [loadCommands, PaymentMode.load, ChangeDialog.load, SalesDrawer.load, loadDocument, preparePrinting];

const prepareTimeoutMs = 500;

/** Loads the data and code of the first screen. After the timeout the screen shows without what is still missing. */
export async function prepareCounter(): Promise<void> {
  const timeout = new Promise((end) => setTimeout(end, prepareTimeoutMs));
  await Promise.race([Promise.allSettled([prefetchServices(), PlanPatient.load(), PlanExtras.load()]), timeout]);
}

/** Returns true when two columns fit. */
const useIsWide = mediaQuery('(min-width: 768px)');

export function CounterScreen() {
  const { t } = useTranslation();
  // People who may not create treatments see the open ones.
  const mayCreate = useMay('order.create');
  const mode = usePlan((plan) => (mayCreate ? plan.mode : 'payment'));
  const isWide = useIsWide();
  const search = useRef<HTMLInputElement>(null);
  // A link to the counter can name an invoice, which the recent sales then show.
  const [address, setAddress] = useSearchParams();
  const linked = address.get('sales');
  const [salesOpen, setSalesOpen] = useState(linked !== null);
  const salesWanted = useEver(salesOpen);
  const changeDue = usePlan((plan) => plan.changeDue);
  const changeWanted = useEver(changeDue !== null);
  const planActions = usePlanActions();

  function closeSales() {
    setSalesOpen(false);
    if (linked !== null) setAddress({}, { replace: true });
  }

  async function goToPayment() {
    await additionsSettled();
    const plan = usePlan.getState();
    if (plan.mode === 'payment') return;
    if (currentDraft(plan).lines.length === 0) plan.setMode('payment');
    else await planActions.saveAndPay();
  }

  useScannedServices();
  useShortcuts({
    onSearch: () => {
      // In payment mode the search box must be rendered before it can take the focus and the next key.
      flushSync(() => usePlan.getState().setMode('create'));
      search.current?.focus();
    },
    onPayment: () => void goToPayment(),
  });
  useEffect(reportSaleInProgress, []);
  useEffect(announceInput, []);
  useEffect(() => {
    void loadWhenIdle(idleLoads);
    return () => void loadDocument().then(({ removePrintedDocument }) => removePrintedDocument());
  }, []);

  return (
    <div className={styles['screen']} data-keeps-height>
      <h1 className={text['srOnly']}>{t('counter.title')}</h1>
      <div data-yields className={styles['bar']}>
        {mayCreate && (
          <Segmented
            label={t('counter.modes')}
            value={mode}
            panelId={panelId}
            onChange={(next) => usePlan.getState().setMode(next)}
            segments={[
              { value: 'create', label: t(isWide ? 'counter.modeCreate' : 'counter.modeCreateShort') },
              { value: 'payment', label: t(isWide ? 'counter.modePayment' : 'counter.modePaymentShort') },
            ]}
          />
        )}
        <ToastBar className={styles['toasts']} />
        <Button
          variant="quiet"
          className={styles['sales']}
          title={t('counter.sales.open')}
          onClick={() => setSalesOpen(true)}
        >
          <History />
          <span className={isWide ? undefined : text['srOnly']}>{t('counter.sales.open')}</span>
        </Button>
      </div>
      <ModePanel mode={mode}>
        {mode === 'create' ? (
          <CreateMode actions={planActions} isWide={isWide} searchRef={search} />
        ) : (
          <Suspense fallback={null}>
            <PaymentMode isWide={isWide} />
          </Suspense>
        )}
      </ModePanel>
      <Suspense fallback={null}>
        {salesWanted && <SalesDrawer open={salesOpen} onClose={closeSales} search={linked ?? ''} />}
        {changeWanted && <ChangeDialog due={changeDue} onDone={() => usePlan.getState().setChangeDue(null)} />}
      </Suspense>
    </div>
  );
}

/**
 * The panel of a mode. It takes the focus of a control that has gone with the other mode, as after a payment, so that the next
 * key goes on from there. A dialog that opens with it gives the focus back to it.
 */
function ModePanel({ mode, children }: { mode: CounterMode; children: ReactNode }) {
  const { t } = useTranslation();
  const panel = useRef<HTMLDivElement>(null);
  const before = useRef(mode);
  useLayoutEffect(() => {
    const isLost = mode !== before.current && document.activeElement === document.body;
    if (isLost) panel.current?.focus({ preventScroll: true });
    before.current = mode;
  }, [mode]);
  return (
    <div
      ref={panel}
      id={panelId}
      role="tabpanel"
      tabIndex={-1}
      aria-label={mode === 'create' ? t('counter.modeCreate') : t('counter.modePayment')}
      className={styles['panel']}
    >
      {children}
    </div>
  );
}
