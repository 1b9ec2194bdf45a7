/** Raises attention items, in SQL. Of some kinds only as many are open as a manager can look at. */
import { dayMs } from '#domain/durations.ts';
import { isBounded, isMoneyKind, moneyKinds, mostOpen, mostRefusedMoney } from '#domain/attention.ts';
import type { BoundedKind, MoneyKind } from '#domain/attention.ts';
import { groupBy } from '#domain/group-by.ts';
import { maxMinor } from '#domain/limits.ts';
import { minorFromWire, minorToWire } from '#domain/money.ts';
import type { AttentionResource } from '#domain/protocol/sync.ts';
import { isoOf } from '#domain/instant.ts';
import { latestAt } from '#server/clocks.ts';
import { insertInto } from '#server/db/insert.ts';
import { attentionItems } from '#server/db/schema/sync.ts';
import { rowsOf } from '#server/db/sql.ts';
import type { Sql } from '#server/db/sql.ts';

export type AttentionKind = AttentionResource['kind'];

export interface Concern {
  kind: AttentionKind;
  opId: string | null;
  opKind: string | null;
  orderId: string | null;
  details: Record<string, string | number>;
}

const insertItems = insertInto(attentionItems, { leaves: ['settledAt', 'settledBy', 'settledReason'] });

/** Raises conditions, of bounded kinds only as many as may be open. */
export async function raiseAttention(
  sql: Sql,
  clinicId: number,
  atMs: number,
  raised: readonly Concern[],
): Promise<void> {
  const { kept: concerns, leftOut } = await withoutExcess(sql, clinicId, atMs, raised);
  await countLeftOut(sql, clinicId, atMs, leftOut);
  await insertItems(
    sql,
    concerns.map((concern) => ({ ...concern, clinicId, createdAt: atMs })),
  );
}

/** The open items of a bounded kind, of one device or of the whole clinic. */
interface OpenItems {
  of: string;
  open: number;
  /** The raised operations that have an item already. */
  known: string[];
}

/** SQL: refused money. */
const isMoney = `(kind = 'refused' and op_kind in (${moneyKinds.map((kind) => `'${kind}'`).join(', ')}))`;

/** Of whom, or of what, the items of a bounded kind are counted together; the first in SQL. */
const countedTogether = `case when kind = 'unproven' then kind
  when ${isMoney} then concat('money ', details ->> 'actor_id', ' ', details ->> 'device')
  when kind = 'refused' then concat(kind, ' ', details ->> 'actor_id', ' ', details ->> 'device')
  else concat(kind, ' ', details ->> 'device') end`;

function countedWith(concern: Concern): string {
  const { kind, opKind } = concern;
  if (kind === 'unproven') return kind;
  if (kind === 'refused') return `${isMoneyKind(opKind) ? 'money' : kind} ${senderOf(concern)}`;
  return `${kind} ${concern.details['device'] ?? ''}`;
}

/** Returns who did a refused operation, and where. */
const senderOf = ({ details: { actor_id = '', device = '' } }: Concern): string => `${actor_id} ${device}`;

const boundOf = (kind: BoundedKind, opKind: string | null): number =>
  kind === 'refused' && isMoneyKind(opKind) ? mostRefusedMoney : mostOpen[kind];

/** Drops what exceeds the bounds, and what the same operation has raised already. */
async function withoutExcess(
  sql: Sql,
  clinicId: number,
  atMs: number,
  concerns: readonly Concern[],
): Promise<{ kept: readonly Concern[]; leftOut: Concern[] }> {
  const bounded = concerns.filter(({ kind }) => isBounded(kind));
  if (bounded.length === 0) return { kept: concerns, leftOut: [] };
  const rows = await rowsOf<OpenItems>(
    sql,
    'open bounded items',
    `select ${countedTogether} as of, (count(*) filter (where not ${isMoney} or (created_at > $5 and created_at <= $6)))::int as open,
       coalesce(array_agg(op_id) filter (where op_id = any($4::uuid[])), '{}') as known
     from attention_items where clinic_id = $1 and settled_at is null and kind = any($2::text[])
       and (kind = 'unproven' or coalesce(details ->> 'device', '') = any($3::text[])) group by 1`,
    [
      clinicId,
      bounded.map(({ kind }) => kind),
      bounded.map(({ details }) => details['device'] ?? ''),
      bounded.map(({ opId }) => opId),
      isoOf(atMs - dayMs),
      latestAt(atMs),
    ],
  );
  const open = new Map(rows.map((row) => [row.of, row.open]));
  const raised = new Set(rows.flatMap(({ of, known }) => known.map((opId) => `${of} ${opId}`)));
  const leftOut: Concern[] = [];
  const kept = concerns.filter((concern) => {
    const { kind, opId, opKind } = concern;
    if (!isBounded(kind)) return true;
    const of = countedWith(concern);
    if (raised.has(`${of} ${opId}`)) return false;
    raised.add(`${of} ${opId}`);
    const before = open.get(of) ?? 0;
    if (before >= boundOf(kind, opKind)) {
      if (kind === 'refused') leftOut.push(concern);
      return false;
    }
    open.set(of, before + 1);
    return true;
  });
  return { kept, leftOut };
}

/** The details of a count that grow. The amounts come from payments and refunds. */
const counts = ['count', 'payments', 'paid', 'refunds', 'refunded'] as const;
const countsOf = {
  'order.pay': ['payments', 'paid'],
  'order.refund': ['refunds', 'refunded'],
} as const satisfies Record<MoneyKind, readonly (typeof counts)[number][]>;

/** Adds up refused operations. An amount that no payment can have is forged, and would hide the others. */
function addedUp(concerns: readonly Concern[]): Partial<Record<(typeof counts)[number], number>> {
  const money = (Object.entries(countsOf) as [MoneyKind, (typeof countsOf)[MoneyKind]][]).flatMap(([kind, names]) => {
    const those = concerns.filter(({ opKind }) => opKind === kind);
    const amounts = those.map(({ details: { amount } }) => (typeof amount === 'number' ? minorFromWire(amount) : 0));
    const sum = amounts.reduce((all, minor) => (minor > 0 && minor <= maxMinor ? all + minor : all), 0);
    return those.length === 0
      ? []
      : [
          [names[0], those.length],
          [names[1], minorToWire(sum)],
        ];
  });
  return { count: concerns.length, ...(Object.fromEntries(money) as object) };
}

/** Counts the refused operations without an item of their own, in one open item per person and device. */
async function countLeftOut(sql: Sql, clinicId: number, atMs: number, leftOut: readonly Concern[]): Promise<void> {
  for (const [sender, those] of groupBy(leftOut, senderOf)) {
    const { actor_id, actor, device } = those[0]!.details;
    const added = addedUp(those);
    const grown = await rowsOf(
      sql,
      'count left out',
      `update attention_items a set details = a.details || (
         select jsonb_object_agg(key, coalesce((a.details ->> key)::numeric, 0) + value::numeric) from jsonb_each_text($3::jsonb))
       where clinic_id = $1 and kind = 'refused_more' and settled_at is null
         and concat(details ->> 'actor_id', ' ', details ->> 'device') = $2 returning id`,
      [clinicId, sender, JSON.stringify(added)],
    );
    if (grown.length > 0) continue;
    const details = {
      ...(actor_id !== undefined && { actor_id }),
      ...(actor !== undefined && { actor }),
      ...(device !== undefined && { device }),
      ...added,
    };
    await raiseAttention(sql, clinicId, atMs, [
      { kind: 'refused_more', opId: null, opKind: null, orderId: null, details },
    ]);
  }
}
