/**
 * Checks the cash drawers: every operation took effect once, and the Z report, on the server and on every tablet, equals
 * float + payments − refunds + movements over all tablets.
 */
import { localDrawerReport } from '#src/db/queries/drawers.ts';
import type { AnyOperation } from '#domain/protocol/operations.ts';
import { effectiveMs } from './operations.ts';
import { compare, ofKind } from './orders.ts';
import type { Clinic } from '../cluster/clinic.ts';
import { cents, isOutstanding } from './final-state.ts';
import type { FinalState, TabletState } from './final-state.ts';

export async function checkDrawers(final: FinalState, clinic: Clinic): Promise<string[]> {
  if (ofKind(final.applied, 'drawer.open').length === 0) return checkRows(final);
  const sums = expectedSums(final);
  const onTablets = await Promise.all(final.tablets.map((tablet) => checkTablet(sums, tablet)));
  return [...checkRows(final), ...(await checkReports(sums, clinic)), ...onTablets.flat()];
}

type EffectiveTime = (operation: AnyOperation) => number;

/** Returns the effective time of applied operations, in milliseconds. */
const effectiveTimes =
  ({ receipts }: FinalState): EffectiveTime =>
  (operation) =>
    effectiveMs(operation, receipts.get(operation.op_id)!.received_ms);

function checkRows(final: FinalState): string[] {
  const { applied, server } = final;
  const at = effectiveTimes(final);
  const opened = ofKind(applied, 'drawer.open').map(
    (operation) =>
      `${operation.payload.drawer_id} on ${operation.device_id} ${cents(operation.payload.float)} by ${operation.actor_id} at ${at(operation)}`,
  );
  const moved = ofKind(applied, 'drawer.move').map((operation) => {
    const { drawer_id, direction, amount } = operation.payload;
    return `${operation.op_id} ${drawer_id} ${direction === 'in' ? cents(amount) : -cents(amount)} by ${operation.actor_id} at ${at(operation)}`;
  });
  const closed = ofKind(applied, 'drawer.close').map(
    (operation) =>
      `${operation.payload.drawer_id} ${cents(operation.payload.counted.cash)} by ${operation.actor_id} at ${at(operation)}`,
  );
  return [
    ...compare(
      'drawer',
      opened,
      server.drawers.map(
        (row) => `${row.id} on ${row.device_id} ${row.float_minor} by ${row.opened_by} at ${row.opened_ms}`,
      ),
    ),
    ...compare(
      'movement',
      moved,
      server.movements.map(
        (row) => `${row.op_id} ${row.drawer_id} ${row.amount_minor} by ${row.actor_id} at ${row.effective_ms}`,
      ),
    ),
    ...compare(
      'close',
      closed,
      server.drawers.flatMap((row) =>
        row.closed_ms === null ? [] : `${row.id} ${row.counted!['cash']} by ${row.closed_by} at ${row.closed_ms}`,
      ),
    ),
  ];
}

interface ModelDrawer {
  id: string;
  deviceId: number;
  openedMs: number;
  closedMs: number;
  amounts: Record<string, number>;
  refunds: number;
}

/** Returns the expected report of each drawer, as text. A payment belongs to the open drawer of its own device, else to the first open drawer. */
function expectedSums(final: FinalState): Map<string, string> {
  const { applied } = final;
  const at = effectiveTimes(final);
  const closes = new Map(
    ofKind(applied, 'drawer.close').map((operation) => [operation.payload.drawer_id, at(operation)]),
  );
  const drawers = ofKind(applied, 'drawer.open').map((operation): ModelDrawer => {
    const { drawer_id: id, float } = operation.payload;
    return {
      id,
      deviceId: operation.device_id,
      openedMs: at(operation),
      closedMs: closes.get(id) ?? Number.POSITIVE_INFINITY,
      amounts: { cash: cents(float) },
      refunds: 0,
    };
  });
  drawers.sort((a, b) => a.openedMs - b.openedMs || (a.id < b.id ? -1 : 1));
  const add = ({ amounts }: ModelDrawer, method: string, minor: number) =>
    (amounts[method] = (amounts[method] ?? 0) + minor);
  for (const operation of applied) {
    const atMs = at(operation);
    if (operation.kind === 'drawer.move') {
      const { drawer_id, direction, amount } = operation.payload;
      const drawer = drawers.find(({ id }) => id === drawer_id)!;
      if (atMs <= drawer.closedMs) add(drawer, 'cash', direction === 'in' ? cents(amount) : -cents(amount));
    }
    if (operation.kind !== 'order.pay' && operation.kind !== 'order.refund') continue;
    const open = drawers.filter(({ openedMs, closedMs }) => openedMs <= atMs && atMs < closedMs);
    const drawer = open.find(({ deviceId }) => deviceId === operation.device_id) ?? open[0];
    if (!drawer) continue;
    const isRefund = operation.kind === 'order.refund';
    add(
      drawer,
      operation.payload.payment_method,
      isRefund ? -cents(operation.payload.amount) : cents(operation.payload.amount),
    );
    if (isRefund) drawer.refunds += 1;
  }
  return new Map(drawers.map(({ id, amounts, refunds }) => [id, asText(amounts, refunds)]));
}

const methods = ['cash', 'card', 'insurance', 'others'];
const asText = (amounts: Record<string, number>, refunds: number): string =>
  `${methods.map((method) => amounts[method] ?? 0).join(' ')}, ${refunds} refunds`;

interface DrawerReportReply {
  id: string;
  report: { expected: Record<string, number>; refunds: { count: number } };
}

/** Compares the reports that the API returns to a manager. */
async function checkReports(sums: Map<string, string>, clinic: Clinic): Promise<string[]> {
  const token = await clinic.signIn(clinic.people[0]!);
  const answer = await clinic.call({ method: 'GET', path: '/drawers?per_page=200', token });
  const { data } = answer!.json as { data: DrawerReportReply[] };
  const reported = data.map(({ id, report: { expected, refunds } }) => {
    const amounts = Object.fromEntries(methods.map((method) => [method, cents(expected[method]!)]));
    return `${id} ${asText(amounts, refunds.count)}`;
  });
  return compare(
    'Z report',
    [...sums].map(([id, sum]) => `${id} ${sum}`),
    reported,
  );
}

/** Compares the reports of a tablet without outstanding operations. */
async function checkTablet(sums: Map<string, string>, { tablet, states }: TabletState): Promise<string[]> {
  if ([...states.values()].some(isOutstanding)) return [];
  const reports = await Promise.all(
    [...sums.keys()].map((id) => localDrawerReport(tablet.faultFreeDb(), id, tablet.now())),
  );
  return [...sums].flatMap(([id, sum], index) => {
    const report = reports[index]?.report;
    const shown = report ? asText(report.expected, report.refunds.count) : 'no report';
    return shown === sum ? [] : `${tablet.name} reports ${shown} for drawer ${id}, expected ${sum}`;
  });
}
