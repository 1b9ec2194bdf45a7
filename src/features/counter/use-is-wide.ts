import { useSyncExternalStore } from 'react';

const wide = window.matchMedia('(min-width: 768px)');

function subscribe(listener: () => void): () => void {
  wide.addEventListener('change', listener);
  return () => wide.removeEventListener('change', listener);
}

/** Whether two columns fit: from 768 px. */
export const useIsWide = (): boolean => useSyncExternalStore(subscribe, () => wide.matches);
