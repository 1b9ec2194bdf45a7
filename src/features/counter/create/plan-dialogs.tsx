import { Suspense, useEffect } from 'react';
import { useCurrency } from '#src/local-data/use-clinic-settings.ts';
import { loadLater } from '#src/ui/load-later.tsx';
import { useSession } from '#src/session/session.ts';
import { useEver } from '#src/ui/use-ever.ts';
import { closePlanDialog, usePlanDialog } from './plan-dialog-store.ts';
import { usePricedPlan } from '../use-priced-plan.ts';

const DiscountDialog = loadLater(async () => (await import('./discount-dialog.tsx')).DiscountDialog);
const RoomDialog = loadLater(async () => (await import('./room-dialog.tsx')).RoomDialog);
const PatientDrawer = loadLater(async () => (await import('../patients/patient-drawer.tsx')).PatientDrawer);

/**
 * The dialogs of the plan. They are no part of the panel, which is another one where the window is narrow: turning a phone keeps
 * the dialog and what is typed in it.
 */
export function PlanDialogs() {
  const shown = usePlanDialog(({ dialog }) => dialog);
  const patientWanted = useEver(shown === 'patient');
  useEffect(
    () => () => {
      // The lock only hides the screen.
      if (!useSession.getState().locked) closePlanDialog();
    },
    [],
  );
  return (
    <Suspense fallback={null}>
      {shown === 'discount' && <PlanDiscount />}
      {shown === 'room' && <RoomDialog onClose={closePlanDialog} />}
      {patientWanted && <PatientDrawer open={shown === 'patient'} onClose={closePlanDialog} />}
    </Suspense>
  );
}

function PlanDiscount() {
  const { addedMinor } = usePricedPlan();
  return <DiscountDialog subtotalMinor={addedMinor} currency={useCurrency()} onClose={closePlanDialog} />;
}
