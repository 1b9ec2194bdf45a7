import { create } from 'zustand';

interface Activity {
  /** Somebody is in the middle of a plan or a payment. */
  selling: boolean;
  /** How many works run that end by themselves: money that is being taken, a paper on its way to the printer. */
  running: number;
}

/** What a reload would disturb. An update of the app waits for the end of all of it. */
export const useActivity = create<Activity>(() => ({ selling: false, running: 0 }));

export const isBusy = ({ selling, running }: Activity): boolean => selling || running > 0;

export const setSelling = (selling: boolean): void => useActivity.setState({ selling });

/** Holds a reload back until this work has ended, well or badly. */
export async function busyWith<T>(work: Promise<T>): Promise<T> {
  const count = (change: number) => useActivity.setState(({ running }) => ({ running: running + change }));
  count(1);
  try {
    return await work;
  } finally {
    count(-1);
  }
}
