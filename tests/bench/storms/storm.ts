/** The process of a storm: separate, so that its work is not measured as the server's. It rages until it is killed. */
import { setTimeout as sleep } from 'node:timers/promises';
import { newId } from '#tests/support/unique.ts';
import type { Storm, StormPlan } from './kinds.ts';

const connections = 300;
const backslashes = '\\'.repeat(50_000);

const plan = JSON.parse(process.argv[2]!) as StormPlan;
const post = (token: string, path: string, body: object): Promise<Response> =>
  fetch(`${plan.url}/api${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
const forever = async (work: () => Promise<unknown>): Promise<never> => {
  for (;;) await work().catch(() => sleep(100));
};
const rage: Record<Storm, () => void> = {
  description: () => {
    for (let count = 0; count < connections; count += 1)
      void forever(async () => (await fetch(`${plan.url}/api/openapi.json`)).arrayBuffer());
  },
  exports: () => {
    // The body is not read.
    for (const token of plan.tokens)
      void forever(async () => {
        const { status } = await post(token, '/reports/sales/export/excel', {});
        await sleep(status === 200 ? 60_000 : 200);
      });
  },
  runs: () => {
    for (const token of plan.tokens)
      for (const v of [1, 999])
        void forever(async () => {
          const operations = [{ op_id: newId(), kind: 'order.create', v, payload: { notes: backslashes } }];
          return (await post(token, '/sync/batch', { operations })).arrayBuffer();
        });
  },
  mails: () => {
    for (const token of plan.tokens)
      for (let count = 0; count < 4; count += 1)
        void forever(async () => {
          const { status } = await post(token, '/settings/test-mail', {});
          if (status !== 502) await sleep(200);
        });
  },
};
rage[plan.storm]();
process.send?.('rages');
