/** The page of the Workbox arm: registers the worker and passes it the requests. */
async function tell(message) {
  const { active } = await navigator.serviceWorker.ready;
  const channel = new MessageChannel();
  const answer = new Promise((resolve) => {
    channel.port1.addEventListener('message', ({ data }) => resolve(data));
    channel.port1.start();
  });
  active.postMessage(message, [channel.port2]);
  return answer;
}

export async function prepare(requests) {
  await navigator.serviceWorker.register('/bench/workbox-worker.js', { scope: '/bench/' });
  await tell({ type: 'store', requests });
}

export const run = () => tell({ type: 'replay' });
