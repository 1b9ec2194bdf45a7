/** Queues requests with Workbox in a service worker: one stored request per operation, replayed in sequence. */
import { Queue } from 'workbox-background-sync';

// Without the fallback, the browser would replay requests before the measurement starts.
const queue = new Queue('operations', { forceSyncFallback: true });

self.addEventListener('install', () => self.skipWaiting());
self.addEventListener('activate', (event) => event.waitUntil(self.clients.claim()));

self.addEventListener('message', (event) => {
  const answer = (work) => event.waitUntil(work().then((value) => event.ports[0].postMessage(value)));
  if (event.data.type === 'store') answer(() => store(event.data.requests));
  if (event.data.type === 'replay') answer(replay);
});

async function store(requests) {
  for (const { url, ...init } of requests) await queue.pushRequest({ request: new Request(url, init) });
}

async function replay() {
  const started = performance.now();
  await queue.replayRequests();
  return performance.now() - started;
}
