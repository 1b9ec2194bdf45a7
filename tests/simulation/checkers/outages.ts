/**
 * The diary of outages against what people sold meanwhile. While the server does not answer, nothing that was sold can have
 * reached it; so an outage carries at least what was paid within it, and at most what was paid since the one before.
 */
import type { OutageRow } from '../../../src/db/database.ts';
import type { AnyOperation } from '../../../domain/protocol/operations.ts';
import { cents } from './final-state.ts';
import type { FinalState, TabletState } from './final-state.ts';

export function checkOutages({ tablets }: FinalState): string[] {
  // With a clock that jumped, what is before and what after cannot be told from the times.
  return tablets.flatMap((tablet) => (tablet.tablet.hasJumped ? [] : checkDiary(tablet)));
}

function checkDiary({ tablet, outages }: TabletState): string[] {
  // What takes the place of another moves the same money at the same time.
  const payments = [...tablet.inherited, ...tablet.durable]
    .filter(({ supersedes }) => supersedes === undefined)
    .flatMap(moneyMoved);
  return outages.flatMap((outage, index) => {
    const { started_at, ended_at, sales, amount_minor } = outage;
    if (ended_at === null) return [`${tablet.name} is still in the outage of ${started_at}`];
    const since = index === 0 ? Number.NEGATIVE_INFINITY : outages[index - 1]!.ended_at!;
    const least = payments.filter(({ atMs }) => atMs > started_at && atMs < ended_at);
    const most = payments.filter(({ atMs }) => atMs >= since && atMs <= ended_at);
    const isWithin = sales >= salesIn(least) && sales <= salesIn(most);
    // Between the two, which ones were still unsent is the tablet's own knowledge; where they agree, so must the sum.
    const isExact = least.length === most.length ? amount_minor === sumOf(most) : true;
    return isWithin && isExact
      ? []
      : [
          `${tablet.name} tells of an outage with ${told(outage)}, expected ${salesIn(least)} to ${salesIn(most)} for ${sumOf(least)} to ${sumOf(most)}`,
        ];
  });
}

interface MoneyMoved {
  atMs: number;
  minor: number;
  isSale: boolean;
}

function moneyMoved({ kind, payload, occurred_at }: AnyOperation): MoneyMoved[] {
  if (kind !== 'order.pay' && kind !== 'order.refund') return [];
  const minor = cents(payload.amount);
  return [
    { atMs: Date.parse(occurred_at), minor: kind === 'order.pay' ? minor : -minor, isSale: kind === 'order.pay' },
  ];
}

const salesIn = (payments: readonly MoneyMoved[]): number => payments.filter(({ isSale }) => isSale).length;
const sumOf = (payments: readonly MoneyMoved[]): number => payments.reduce((sum, { minor }) => sum + minor, 0);
const told = ({ sales, amount_minor }: OutageRow): string => `${sales} sales for ${amount_minor}`;
