import { useSyncExternalStore } from 'react';

/** Returns a hook that tells whether a media query matches. */
export function mediaQuery(query: string): () => boolean {
  const media = matchMedia(query);
  function subscribe(listener: () => void): () => void {
    media.addEventListener('change', listener);
    return () => media.removeEventListener('change', listener);
  }
  return function useMatches() {
    return useSyncExternalStore(subscribe, () => media.matches);
  };
}
