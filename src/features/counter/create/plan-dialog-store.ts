import { create } from 'zustand';
import { createJSONStorage, persist } from 'zustand/middleware';
import { useSession } from '#src/session/session.ts';

interface PlanDialog {
  dialog: 'discount' | 'room' | 'patient' | null;
}

/**
 * The dialog of the plan that is open. A reload of this tab keeps that of the patient, whose form keeps what is typed, and closes
 * the others.
 */
export const usePlanDialog = create<PlanDialog>()(
  persist((): PlanDialog => ({ dialog: null }), {
    name: 'plan-dialog',
    storage: createJSONStorage(() => sessionStorage),
    partialize: ({ dialog }) => ({ dialog: dialog === 'patient' ? dialog : null }),
  }),
);

export function openPlanDialog(dialog: PlanDialog['dialog']): void {
  usePlanDialog.setState({ dialog });
}

export const closePlanDialog = (): void => openPlanDialog(null);

// Nobody begins in the dialog of somebody else.
useSession.subscribe(({ user }, { user: before }) => {
  if (before && user?.id !== before.id) closePlanDialog();
});
