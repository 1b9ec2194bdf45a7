/**
 * What each line is charged, what was given back for it, and what is left of it (decision 042). Money is cents. Amounts are
 * shared out in the order of the ids of the lines, which no arrival changes.
 */
import { cents, shares, sum, sumOf } from './integers.ts';
import type { Line } from './standing.ts';
import type { EntryOf } from './wire.ts';

/** A line that stands. `charged` = `given` + its part of allowances + `earned`. */
export interface ChargedLine extends Line {
  /** What it costs after its part of discount and charge. */
  charged: number;
  /** What refunds name for it; may exceed what it is charged. */
  named: number;
  given: number;
  earned: number;
}

type Charged = Line & { charged: number };
type Refund = EntryOf<'order.refund'>;
type RefundPart = NonNullable<Refund['payload']['lines']>[number];

/** Shares an amount out over lines in the order of their ids. */
export function sharesOf(amount: number, lines: readonly Line[], weights: readonly number[]): number[] {
  const places = lines.map((_, place) => place).sort((a, b) => (lines[a]!.lineId < lines[b]!.lineId ? -1 : 1));
  const parts = shares(
    amount,
    places.map((place) => weights[place]!),
  );
  return lines.map((_, place) => parts[places.indexOf(place)]!);
}

/** Discount and charge belong to the services of the plan, as long as one of these stands. @param extra charge less discount */
export function chargedLines(lines: readonly Line[], extra: number): Charged[] {
  const plan = lines.filter(({ isPlanned }) => isPlanned);
  const weightOf = ({ isPlanned, worth }: Line): number => {
    if (plan.length === 0) return worth;
    if (!isPlanned) return 0;
    return sumOf(plan, (line) => line.worth) > 0 ? worth : 1;
  };
  const parts = sharesOf(extra, lines, lines.map(weightOf));
  return lines.map((line, index) => ({ ...line, charged: line.worth + parts[index]! }));
}

/**
 * Takes off what was given back for a line, and the allowances on the treatment as a whole, as each refund states them. What
 * is more than its services have left belongs to the others.
 *
 * @param allLines also those that were taken away: what is stated for one of them is for what stands in its place
 */
export function earnedLines(
  lines: readonly Charged[],
  allLines: readonly Line[],
  refunds: readonly Refund[],
): ChargedLine[] {
  const standFor = (lineId: string): number => lines.findIndex((line) => takesPlaceOf(line, lineId, allLines));
  const named = lines.map(() => 0);
  const allowed = lines.map(() => 0);
  const add = (to: number[], parts: readonly RefundPart[] = []): void => {
    for (const { line_id, amount } of parts) {
      const place = standFor(line_id);
      if (place >= 0) to[place]! += cents(amount);
    }
  };
  let pool = 0;
  for (const { payload } of refunds) {
    const ofTreatment = (payload.lines ?? []).filter(({ line_id }) =>
      allLines.some(({ lineId }) => lineId === line_id),
    );
    add(named, ofTreatment);
    add(allowed, payload.allowances);
    pool += cents(payload.reduction) - sumOf(ofTreatment, ({ amount }) => cents(amount));
  }
  const given = lines.map(({ charged }, place) => Math.min(named[place]!, charged));
  const left = lines.map(({ charged }, place) => charged - given[place]!);
  const parts = allowed.map((amount, place) => Math.min(amount, left[place]!));
  const rest = Math.min(pool, sum(left)) - sum(parts);
  const more = sharesOf(
    rest,
    lines,
    left.map((amount, place) => amount - parts[place]!),
  );
  return lines.map((line, place) => ({
    ...line,
    named: named[place]!,
    given: given[place]!,
    earned: left[place]! - parts[place]! - more[place]!,
  }));
}

/** True of the line itself, and of a line that stands in its place. */
function takesPlaceOf(line: Line, lineId: string, allLines: readonly Line[]): boolean {
  if (line.lineId === lineId) return true;
  const old = allLines.find((each) => each.lineId === line.replaces);
  return old !== undefined && !old.stands && takesPlaceOf(old, lineId, allLines);
}
