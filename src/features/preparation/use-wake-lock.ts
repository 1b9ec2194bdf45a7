import { useEffect } from 'react';

/** Keeps the screen lit while the page is looked at: a board on the wall is read without being touched. */
export function useWakeLock(): void {
  useEffect(() => {
    if (!('wakeLock' in navigator)) return;
    let lock: WakeLockSentinel | null = null;
    let over = false;
    // The system takes the lock away with the page's visibility, and refuses it on a low battery: then the screen goes dark as ever.
    const request = () => {
      if (document.visibilityState !== 'visible') return;
      void navigator.wakeLock.request('screen').then(
        (granted) => {
          lock = granted;
          if (over) void granted.release();
        },
        () => undefined,
      );
    };
    request();
    document.addEventListener('visibilitychange', request);
    return () => {
      over = true;
      document.removeEventListener('visibilitychange', request);
      void lock?.release();
    };
  }, []);
}
