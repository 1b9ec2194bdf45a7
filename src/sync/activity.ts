import { create } from 'zustand';

interface Activity {
  /** True during a plan or a payment. */
  selling: boolean;
  /** Number of running tasks, such as storing a payment or printing a document. */
  running: number;
}

/** Activity that a reload would interrupt; an update of the app waits until there is none. */
export const useActivity = create<Activity>(() => ({ selling: false, running: 0 }));

export const isBusy = ({ selling, running }: Activity): boolean => selling || running > 0;

export const setSelling = (selling: boolean): void => useActivity.setState({ selling });

/** Delays reloads until a task has ended, successfully or not. */
export async function busyWith<T>(work: Promise<T>): Promise<T> {
  const count = (change: number) => useActivity.setState(({ running }) => ({ running: running + change }));
  count(1);
  try {
    return await work;
  } finally {
    count(-1);
  }
}
