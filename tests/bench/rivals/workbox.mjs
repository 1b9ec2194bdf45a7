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

export async function prepare(operations, token) {
  await navigator.serviceWorker.register('/bench/workbox-worker.js', { scope: '/bench/' });
  const requests = operations.map(({ kind, op_id, payload }) => ({
    url: kind === 'order.create' ? '/api/orders' : `/api/orders/${payload.order_id}/payments`,
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${token}`, 'idempotency-key': op_id },
    body: JSON.stringify(payload),
  }));
  await tell({ type: 'store', requests });
}

export const run = () => tell({ type: 'replay' });
