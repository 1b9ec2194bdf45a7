/**
 * The service worker's life in the page. A new version waits until somebody accepts it, and is not offered while a plan or
 * a payment is under way. When it takes over, every open page of the app starts afresh, each as soon as it is idle.
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
 * On bad Wi-Fi a first install may break off, and the browser then forgets it until the next visit. What has arrived is
 * kept, so another attempt fetches only the rest.
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
  // The development server serves no worker, and an insecure address may have none.
  if (import.meta.env.DEV || !('serviceWorker' in navigator)) {
    useWorker.setState({ host: 'page' });
    return;
  }
  const workbox = new Workbox('/sw.js');
  let registration: ServiceWorkerRegistration | undefined;
  workbox.addEventListener('waiting', () => useWorker.setState({ waiting: registration ?? null }));
  // The page that installed the first worker stays open all day: it too must start afresh when the next one takes over.
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
    // Without a network this fails, and the next look will do.
    if (document.visibilityState === 'visible') void registration?.update().catch(() => undefined);
  });
}
