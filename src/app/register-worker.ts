/**
 * Registers the service worker. A new version waits until somebody accepts it, and is not offered during a plan or a
 * payment. When it takes over, every open page reloads as soon as it is idle.
 */
import { Workbox } from 'workbox-window';
import { isBusy, useActivity } from '../sync/activity.ts';
import { useWorker } from '../sync/worker-state.ts';

function reloadWhenIdle(): void {
  if (!isBusy(useActivity.getState())) location.reload();
  else useActivity.subscribe((activity) => !isBusy(activity) && location.reload());
}

const installRetryMs = 5000;

/**
 * Retries a first install that broke off, which the browser itself would only do on the next visit. Files that arrived
 * are cached, so a retry fetches only the rest.
 */
function installUntilDone(registration: ServiceWorkerRegistration): void {
  const worker = registration.installing;
  worker?.addEventListener('statechange', () => {
    if (worker.state !== 'redundant' || registration.active) return;
    setTimeout(
      () => void navigator.serviceWorker.register('/sw.js').then(installUntilDone, () => undefined),
      installRetryMs,
    );
  });
}

export async function registerWorker(): Promise<void> {
  // The development server serves no worker, and browsers allow none on insecure origins.
  if (import.meta.env.DEV || !('serviceWorker' in navigator)) {
    useWorker.setState({ host: 'page' });
    return;
  }
  const workbox = new Workbox('/sw.js');
  let registration: ServiceWorkerRegistration | undefined;
  workbox.addEventListener('waiting', () => useWorker.setState({ waiting: registration ?? null }));
  // The page that installed the first worker may stay open all day, and must reload when the next version takes over.
  let controlled = navigator.serviceWorker.controller !== null;
  navigator.serviceWorker.addEventListener('controllerchange', () => {
    if (controlled) reloadWhenIdle();
    controlled = true;
  });
  try {
    registration = await workbox.register();
    if (registration) installUntilDone(registration);
    useWorker.setState({ host: 'worker', waiting: registration?.waiting ? registration : null });
  } catch {
    useWorker.setState({ host: 'page' });
  }
  document.addEventListener('visibilitychange', () => {
    // This fails without a network, and is tried again the next time.
    if (document.visibilityState === 'visible') void registration?.update().catch(() => undefined);
  });
}
