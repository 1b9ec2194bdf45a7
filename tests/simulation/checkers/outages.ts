/**
 * Checks the recorded outages against the payments. Nothing reaches a server that does not answer, so an outage counts at
 * least the payments made within it, and at most those made since the previous outage.
 */
import type { OutageRow } from '#src/db/database.ts';
import type { AnyOperation } from '#domain/protocol/operations.ts';
import { cents } from './final-state.ts';
import type { FinalState, TabletState } from './final-state.ts';

export function checkOutages({ tablets }: FinalState): string[] {
  // A clock that jumped does not tell which payment came first.
  return tablets.flatMap((tablet) => (tablet.tablet.hasJumped ? [] : checkOutagesOf(tablet)));
}

function checkOutagesOf({ tablet, outages }: TabletState): string[] {
  // A replacement moves the same money at the same time as the operation that it replaces, so only the first counts.
  const payments = [...tablet.inherited, ...tablet.durable]
    .filter(({ supersedes }) => supersedes === undefined)
    .flatMap(moneyMoved);
  return outages.flatMap((outage, index) => {
    const { started_at, ended_at, sales, amount_minor } = outage;
    if (ended_at === null) return [`${tablet.name} has not ended the outage of ${started_at}`];
    const since = index === 0 ? Number.NEGATIVE_INFINITY : outages[index - 1]!.ended_at!;
    const least = payments.filter(({ atMs }) => atMs > started_at && atMs < ended_at);
    const most = payments.filter(({ atMs }) => atMs >= since && atMs <= ended_at);
    const isWithin = sales >= salesIn(least) && sales <= salesIn(most);
    // Only the tablet knows which payments between the bounds were unsent. When the bounds agree, the amount must agree too.
    const isExact = least.length === most.length ? amount_minor === sumOf(most) : true;
    return isWithin && isExact
      ? []
      : [
          `${tablet.name} recorded an outage with ${describe(outage)}, expected ${salesIn(least)} to ${salesIn(most)} for ${sumOf(least)} to ${sumOf(most)}`,
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
const describe = ({ sales, amount_minor }: OutageRow): string => `${sales} sales for ${amount_minor}`;
