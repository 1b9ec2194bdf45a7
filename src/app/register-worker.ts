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

/** Tells of a version that waits. Workbox hears of one update only, also when its install broke off. */
export function watchForUpdates(registration: ServiceWorkerRegistration): void {
  const tell = () =>
    // The first version passes through this state too.
    useWorker.setState({ waiting: registration.active && registration.waiting ? registration : null });
  const watch = () => registration.installing?.addEventListener('statechange', tell);
  registration.addEventListener('updatefound', watch);
  watch();
  tell();
}

/** A tablet on the counter is visible all day, and learns of a release within a minute. Mostly the reply is that nothing changed. */
const lookEveryMs = 45_000;

/** Asks for a new version when the page becomes visible, and again and again while it is. */
export function askForUpdates(registration: ServiceWorkerRegistration): void {
  const ask = () => {
    // This fails without a network, and is tried again the next time.
    if (document.visibilityState === 'visible') void registration.update().catch(() => undefined);
  };
  document.addEventListener('visibilitychange', ask);
  setInterval(ask, lookEveryMs);
}

export async function registerWorker(): Promise<void> {
  // The development server serves no worker, and browsers allow none on insecure origins.
  if (import.meta.env.DEV || !('serviceWorker' in navigator)) {
    useWorker.setState({ host: 'page' });
    return;
  }
  const workbox = new Workbox('/sw.js');
  // The page that installed the first worker may stay open all day, and must reload when the next version takes over.
  let controlled = navigator.serviceWorker.controller !== null;
  navigator.serviceWorker.addEventListener('controllerchange', () => {
    if (controlled) reloadWhenIdle();
    controlled = true;
  });
  try {
    const registration = await workbox.register();
    useWorker.setState({ host: 'worker' });
    if (registration) {
      installUntilDone(registration);
      watchForUpdates(registration);
      askForUpdates(registration);
    }
  } catch {
    useWorker.setState({ host: 'page' });
  }
}
