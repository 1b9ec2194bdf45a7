/** After an attack the clinic works as before: nothing is stuck, and nothing has become slow. */
import { request } from '../failover/http-tablet.ts';
import { line } from '../support/device.ts';
import type { TestDevice } from '../support/device.ts';
import type { Testbed } from './testbed.ts';

export const longestMs = 2000;

/** Returns what does not work, or takes too long, for a manager, for a new tablet and for those that attacked. */
export async function aftermath(testbed: Testbed, attackers: Iterable<TestDevice>): Promise<string[]> {
  const faults: string[] = [];
  /** Runs a step, which returns a complaint or null. */
  const step = async <T>(name: string, work: () => Promise<T | string>): Promise<T | null> => {
    const started = performance.now();
    const result = await work().catch((error: unknown) => String(error));
    const ms = performance.now() - started;
    console.log(`  ${name.padEnd(44)} ${ms.toFixed(0).padStart(6)} ms`);
    if (ms > longestMs) faults.push(`${name} took ${ms.toFixed(0)} ms`);
    if (typeof result !== 'string') return result;
    faults.push(`${name}: ${result}`);
    return null;
  };
  const clerk = await step('a new tablet enrols', () => testbed.enrol('counter'));
  if (clerk) await step('it sells and is paid', () => sell(clerk));
  if (clerk) await step('it pulls the whole feed', async () => (await clerk.pull()).receipts);
  for (const device of attackers) await step(`the tablet ${device.info.code} of an attacker sells`, () => sell(device));
  const manager = await step('a manager signs in', () => testbed.enrol('admin'));
  if (!manager) return faults;
  for (const [method, url] of backOffice(testbed)) {
    await step(`${method} ${url}`, async () => {
      const payload = method === 'POST' ? { startDate: someDay, endDate: someDay } : undefined;
      const reply = await request(testbed.server.url, { method, url, headers: manager.headers, payload });
      return reply.statusCode === 200 ? reply : `${reply.statusCode} ${reply.body.slice(0, 300)}`;
    });
  }
  return faults;
}

/** A day of the demo clinic. The time of an export grows with its rows, and the attack makes thousands today. */
const someDay = new Date(Date.now() - 3 * 86_400_000).toISOString().slice(0, 10);

const auditExport = '/api/audit/export.csv';

/** Returns every list, report and export of the back office that needs no parameter. */
function backOffice({ routes }: Testbed): [string, string][] {
  const isOpen = ({ path, parameters }: (typeof routes)[number]) =>
    !path.includes('{') && !path.startsWith('/api/sync/') && parameters.every(({ required }) => !required);
  const reads = routes.filter((route) => route.method === 'GET' && isOpen(route)).map(({ path }) => path);
  const exports = routes.filter(({ method, path }) => method === 'POST' && path.includes('/export/'));
  return [
    ...reads.map((path): [string, string] => [
      'GET',
      path === auditExport ? `${path}?from=${someDay}&to=${someDay}` : path,
    ]),
    ...exports.map(({ path }): [string, string] => ['POST', path]),
  ];
}

/** Sells a service, takes the payment, and looks at the treatment. */
async function sell(device: TestDevice): Promise<true | string> {
  const created = device.create([line()]);
  const paid = device.pay(created, 60, { invoice: device.invoice(created.payload.items) });
  const results = await device.send(created, paid);
  if (results.some(({ status }) => status !== 'applied')) return JSON.stringify(results);
  const { order_id } = created.payload;
  const reply = await device.server.app.inject({ url: `/api/orders/${order_id}`, headers: device.headers });
  const { data } = reply.json<{ data: { status: string } }>();
  return data.status === 'completed' ? true : reply.body;
}
