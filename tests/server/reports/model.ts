/**
 * Computes the expected reports of a clinic in Madrid directly from the recorded operations: without SQL, stored totals and the
 * product's own arithmetic. Its only time zone data are the two clock changes of 2026. Money is in cents.
 */
import type { Deed, Told } from './clinic.ts';

const hourMs = 3_600_000;
const [summerBegins, summerEnds] = [Date.UTC(2026, 2, 29, 1), Date.UTC(2026, 9, 25, 1)];
const wallClock = (ms: number) => new Date(ms + (ms >= summerBegins && ms < summerEnds ? 2 : 1) * hourMs);
export const dayOf = (ms: number): string => wallClock(ms).toISOString().slice(0, 10);
const hourOf = (ms: number): number => wallClock(ms).getUTCHours();

const cents = (amount: number) => Math.round(amount * 100);

type Create = Extract<Deed, { do: 'create' }> & Told;
export interface Moved {
  order: ModelOrder;
  cents: number;
  charge: number;
  by: string;
  atMs: number;
}
export interface ModelOrder {
  id: string;
  type: string;
  day: string;
  hour: number;
  atMs: number;
  customer: string;
  currency: string;
  discount: number;
  total: number;
  owed: number;
  status: 'confirmed' | 'completed' | 'cancelled';
  paid: number;
  refunded: number;
  lines: { id: string; name: string; quantity: number; cents: number }[];
  moved: Moved[];
}

/** Returns the treatments after all of these deeds. */
export function ordersOf(deeds: readonly Told[]): ModelOrder[] {
  return deeds
    .filter((deed): deed is Create => deed.do === 'create')
    .map((create) =>
      orderOf(
        create,
        deeds.filter((deed) => 'order' in deed && deed.order === create.order),
      ),
    );
}

function orderOf(create: Create, deeds: readonly Told[]): ModelOrder {
  const lines = deeds.flatMap((deed) =>
    deed.do === 'create' || deed.do === 'add'
      ? deed.items.map(({ line_id: id, name, quantity, unit_price }) => ({
          id,
          name,
          quantity,
          cents: cents(unit_price) * quantity,
        }))
      : [],
  );
  const charge = cents(create.charge);
  const total = lines.reduce((sum, line) => sum + line.cents, 0) - cents(create.discount) + charge;
  const order: ModelOrder = {
    id: create.order,
    type: create.type,
    day: dayOf(create.atMs),
    hour: hourOf(create.atMs),
    atMs: create.atMs,
    customer: create.customer ?? '',
    currency: create.currency ?? 'EUR',
    discount: cents(create.discount),
    total,
    owed: total,
    status: 'confirmed',
    paid: 0,
    refunded: 0,
    lines,
    moved: [],
  };
  let reduced = 0;
  let settled = 0;
  let net = 0;
  const inTime = [...deeds].sort((a, b) => a.atMs - b.atMs);
  for (const deed of inTime) {
    if (deed.do !== 'pay' && deed.do !== 'refund') continue;
    const amount = deed.do === 'pay' ? cents(deed.amount) : -cents(deed.amount);
    net += amount;
    const nowSettled = total <= 0 ? 0 : Math.round((charge * Math.min(Math.max(net, 0), total)) / total);
    order.moved.push({ order, cents: amount, charge: nowSettled - settled, by: deed.by, atMs: deed.atMs });
    settled = nowSettled;
    if (deed.do === 'pay') order.paid += amount;
    else {
      order.refunded -= amount;
      if (!deed.stillOwed) reduced += cents(deed.reduction ?? deed.amount);
    }
  }
  order.owed = total - Math.min(reduced, Math.max(0, total));
  const wasRefunded = order.moved.some((moved) => moved.cents < 0);
  const isStillOwed = order.owed > 0 && deeds.some((deed) => deed.do === 'refund' && deed.stillOwed);
  if (net === 0 && ((wasRefunded && !isStillOwed) || deeds.some((deed) => deed.do === 'cancel')))
    order.status = 'cancelled';
  else if (order.moved.length > 0 && net >= order.owed) order.status = 'completed';
  return order;
}

const sum = <T>(values: readonly T[], of: (value: T) => number) =>
  values.reduce((total, value) => total + of(value), 0);
const keyed = <T>(values: readonly T[], keyOf: (value: T) => string | number) =>
  [...new Set(values.map(keyOf))].map((key) => ({ key, values: values.filter((value) => keyOf(value) === key) }));

/** Returns what each line of a treatment earns. The model takes it from the domain, whose tests prove it. */
type EarnedBy = (orderId: string) => Map<string, number>;

/** Returns the figures of a span of days in one currency, in decimals as the API returns them. */
export function figuresOf(
  known: readonly ModelOrder[],
  { start, end, currency = 'EUR' }: { start: string; end: string; currency?: string },
  earnedBy: EarnedBy = () => new Map(),
) {
  const orders = known.filter((order) => order.currency === currency);
  const lies = (day: string) => day >= start && day <= end;
  const all = orders.filter(({ day }) => lies(day));
  const counted = all.filter(({ status }) => status !== 'cancelled');
  const completed = all.filter(({ status }) => status === 'completed');
  const moved = orders.flatMap((order) => order.moved).filter(({ atMs }) => lies(dayOf(atMs)));
  const gross = sum(moved, (one) => Math.max(one.cents, 0));
  const refunds = sum(moved, (one) => Math.max(-one.cents, 0));
  const charge = sum(moved, (one) => one.charge);
  return {
    orders: counted.length,
    completed: completed.length,
    average: completed.length === 0 ? 0 : Math.round(sum(completed, ({ owed }) => owed) / completed.length) / 100,
    cancelled: all.length - counted.length,
    gross: gross / 100,
    refunds: refunds / 100,
    refundCount: moved.filter((one) => one.cents < 0).length,
    revenue: (gross - refunds) / 100,
    charge: charge / 100,
    net: (gross - refunds - charge) / 100,
    discounts: {
      amount: sum(counted, ({ discount }) => discount) / 100,
      count: counted.filter(({ discount }) => discount > 0).length,
    },
    types: keyed(
      [
        ...counted.map(({ type }) => ({ type, orders: 1, cents: 0 })),
        ...moved.map((one) => ({ type: one.order.type, orders: 0, cents: one.cents })),
      ],
      ({ type }) => type,
    ).map(({ key, values }) => ({
      type: key,
      count: sum(values, (value) => value.orders),
      revenue: sum(values, (value) => value.cents) / 100,
    })),
    methods: keyed(moved, ({ by }) => by).map(({ key, values }) => ({
      method: key,
      count: values.length,
      amount: sum(values, (one) => one.cents) / 100,
    })),
    hours: keyed(moved, ({ atMs }) => hourOf(atMs)).map(({ key, values }) => ({
      hour: key as number,
      amount: sum(values, (one) => one.cents) / 100,
    })),
    products: keyed(
      completed.flatMap(({ id, lines }) => {
        const earned = earnedBy(id);
        return lines.map((line) => ({ ...line, cents: earned.get(line.id) ?? line.cents }));
      }),
      ({ name }) => name,
    ).map(({ key, values }) => ({
      name: key as string,
      quantity: sum(values, (line) => line.quantity),
      revenue: sum(values, (line) => line.cents) / 100,
    })),
    moved,
    all,
  };
}

/** Returns what a report of a span of days in one currency states of the others. */
export function othersOf(known: readonly ModelOrder[], start: string, end: string, currency: string) {
  const others = [...new Set(known.map((order) => order.currency))].filter((each) => each !== currency).sort();
  return others.flatMap((other) => {
    const { all, moved, orders, revenue } = figuresOf(known, { start, end, currency: other });
    return all.length + moved.length > 0 ? [{ currency: other, orders, revenue }] : [];
  });
}
