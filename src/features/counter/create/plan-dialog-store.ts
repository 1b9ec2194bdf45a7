import { create } from 'zustand';

/** The dialog of the plan that is open. A reload closes it. */
export const usePlanDialog = create<{ dialog: 'discount' | 'room' | 'patient' | null }>()(() => ({ dialog: null }));

export const openPlanDialog = (dialog: 'discount' | 'room' | 'patient'): void => usePlanDialog.setState({ dialog });

export const closePlanDialog = (): void => usePlanDialog.setState({ dialog: null });
