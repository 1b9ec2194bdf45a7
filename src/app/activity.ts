import { create } from 'zustand';

/**
 * Whether somebody is in the middle of something that a reload would disturb: a plan being built, a payment under way. An
 * update of the app waits for it.
 */
export const useActivity = create<{ busy: boolean }>(() => ({ busy: false }));

export const setBusy = (busy: boolean): void => useActivity.setState({ busy });
