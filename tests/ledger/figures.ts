/**
 * The figures of a span of business days. Money counts on the day on which it moved, and treatments, by their status now, on
 * the day of their creation. Money is cents.
 */
import { dayOf, hourOf } from './calendar.ts';
import { groups, proportion, sumOf } from './integers.ts';
import type { Movement, Treatment } from './treatment.ts';

export interface Span {
  start: string;
  end: string;
}

export interface Figures {
  orders: number;
  completed: number;
  /** What completed treatments cost after reductions. */
  completedAmount: number;
  average: number;
  cancelled: number;
  gross: number;
  refunds: number;
  refundCount: number;
  revenue: number;
  /** The service charge within the revenue. */
  charge: number;
  net: number;
  discounts: { amount: number; count: number };
  types: { type: string; count: number; revenue: number }[];
  methods: { method: string; count: number; amount: number }[];
  hours: { hour: number; amount: number }[];
  days: { day: string; orders: number; revenue: number }[];
  /** What completed treatments earn by service, the most first. */
  products: { name: string; quantity: number; revenue: number }[];
}

const lies = (day: string, { start, end }: Span): boolean => day >= start && day <= end;

export function figuresOf(treatments: readonly Treatment[], span: Span): Figures {
  const created = treatments.filter(({ createdMs }) => lies(dayOf(createdMs), span));
  const counted = created.filter(({ status }) => status !== 'cancelled');
  const completed = created.filter(({ status }) => status === 'completed');
  const moved = treatments.flatMap(chargedMovements).filter(({ atMs }) => lies(dayOf(atMs), span));
  const gross = sumOf(moved, ({ amount }) => Math.max(0, amount));
  const given = moved.filter(({ amount }) => amount < 0);
  const revenue = sumOf(moved, ({ amount }) => amount);
  const charge = sumOf(moved, (movement) => movement.charge);
  const completedAmount = sumOf(completed, ({ owed }) => owed);
  const discounted = counted.filter(({ discount }) => discount > 0);
  const days = new Set([...counted.map(({ createdMs }) => dayOf(createdMs)), ...moved.map(({ atMs }) => dayOf(atMs))]);
  return {
    orders: counted.length,
    completed: completed.length,
    completedAmount,
    average: completed.length === 0 ? 0 : proportion(completedAmount, 1, completed.length),
    cancelled: created.length - counted.length,
    gross,
    refunds: gross - revenue,
    refundCount: given.length,
    revenue,
    charge,
    net: revenue - charge,
    discounts: { amount: sumOf(discounted, ({ discount }) => discount), count: discounted.length },
    types: [...new Set([...counted, ...moved].map(({ type }) => type))].map((type) => ({
      type,
      count: counted.filter((treatment) => treatment.type === type).length,
      revenue: sumOf(moved, (movement) => (movement.type === type ? movement.amount : 0)),
    })),
    methods: [...groups(moved, ({ method }) => method)].map(([method, own]) => ({
      method,
      count: own.length,
      amount: sumOf(own, ({ amount }) => amount),
    })),
    hours: [
      ...groups(
        moved.filter(({ amount }) => amount !== 0),
        ({ atMs }) => hourOf(atMs),
      ),
    ].map(([hour, own]) => ({
      hour,
      amount: sumOf(own, ({ amount }) => amount),
    })),
    days: [...days].map((day) => ({
      day,
      orders: counted.filter(({ createdMs }) => dayOf(createdMs) === day).length,
      revenue: sumOf(moved, ({ atMs, amount }) => (dayOf(atMs) === day ? amount : 0)),
    })),
    products: soldIn(completed),
  };
}

interface ChargedMovement extends Movement {
  type: string;
  charge: number;
}

/** Returns the payments of a treatment, each with the service charge within it: in proportion to the total, up to it. */
function chargedMovements({ movements, total, charge, type }: Treatment): ChargedMovement[] {
  const within = (paid: number) => (total <= 0 ? 0 : proportion(charge, Math.min(Math.max(paid, 0), total), total));
  let paid = 0;
  return movements
    .toSorted((a, b) => a.atMs - b.atMs)
    .map((movement) => {
      const before = paid;
      paid += movement.amount;
      return { ...movement, type, charge: within(paid) - within(before) };
    });
}

function soldIn(completed: readonly Treatment[]): Figures['products'] {
  const lines = completed.flatMap((treatment) => treatment.lines);
  return [...groups(lines, ({ item, name }) => `${item} ${name}`)]
    .map(([key, own]) => ({
      key,
      name: own[0]!.name,
      quantity: sumOf(own, ({ milli }) => milli),
      revenue: sumOf(own, ({ earned }) => earned),
    }))
    .sort((a, b) => b.revenue - a.revenue || (`${a.name} ${a.key}` < `${b.name} ${b.key}` ? -1 : 1))
    .map(({ key: _key, ...product }) => product);
}
