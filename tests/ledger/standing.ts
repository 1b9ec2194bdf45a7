/**
 * Which lines of a treatment count (SYNC-11). A line on an invoice stands, whatever a change says. Any other line that was
 * taken away is gone, and what replaces it stands. Of several changes that take one line the one whose line was invoiced
 * applies, or else the latest.
 */
import { cents, proportion, sumOf, thousandths } from './integers.ts';
import { ofKind } from './wire.ts';
import type { Entry, EntryOf, WireInvoice, WireLine } from './wire.ts';

export interface Line {
  lineId: string;
  opId: string;
  /** Names the service: `s7` of the stock, `p7` of the products. */
  item: string;
  name: string;
  milli: number;
  price: number;
  /** Quantity times price. */
  worth: number;
  /** The key of its tax: a rate in hundredths of a percent, or an exemption. */
  tax: string;
  position: number;
  /** The line that it takes the place of. */
  replaces: string | null;
  /** The operation that brought it, or the line in whose place it is. */
  firstOpId: string;
  /** True of the first services, and of what took their place. */
  isPlanned: boolean;
  /** Whether it names its tax. */
  isTaxed: boolean;
  stands: boolean;
}

/** The tax of a line; one without tax is exempt as dentistry is. */
export function taxKey(tax: WireLine['tax']): string {
  if (!tax) return 'E1';
  return 'exempt' in tax ? tax.exempt : String(cents(tax.rate));
}

export const invoicesIn = (entries: readonly Entry[]): { entry: Entry; invoice: WireInvoice }[] =>
  entries.flatMap((entry) =>
    (entry.kind === 'order.pay' || entry.kind === 'order.invoice') && entry.payload.invoice
      ? { entry, invoice: entry.payload.invoice }
      : [],
  );

/** Returns all lines of a treatment in their order. @param entries of one treatment, in the order of their arrival */
export function linesOf(entries: readonly Entry[]): Line[] {
  const lines: Line[] = [];
  const add = (item: WireLine, opId: string, { position, replaces }: Pick<Line, 'position' | 'replaces'>) => {
    if (lines.some(({ lineId }) => lineId === item.line_id)) return;
    const [milli, price] = [thousandths(item.quantity), cents(item.unit_price)];
    lines.push({
      lineId: item.line_id,
      opId,
      item: item.stock_id === undefined ? `p${item.product_id}` : `s${item.stock_id}`,
      name: item.name,
      milli,
      price,
      worth: proportion(milli, price, 1000),
      tax: taxKey(item.tax),
      position,
      replaces,
      firstOpId: opId,
      isPlanned: false,
      isTaxed: item.tax !== undefined,
      stands: false,
    });
  };
  for (const entry of entries) {
    const next = lines.reduce((most, { position }) => Math.max(most, position + 1), 0);
    if (entry.kind === 'order.create' || entry.kind === 'order.add_services')
      for (const [index, item] of entry.payload.items.entries())
        add(item, entry.opId, { position: next + index, replaces: null });
    if (entry.kind === 'order.change')
      for (const [index, item] of (entry.payload.replaced_items ?? []).entries()) {
        const place = lines.find(({ lineId }) => lineId === item.replaces)?.position ?? next + index;
        add(item, entry.opId, { position: place, replaces: item.replaces });
      }
  }
  lines.sort((a, b) => a.position - b.position || (a.lineId < b.lineId ? -1 : 1));
  markPlanned(lines, ofKind(entries, 'order.create')[0]!.opId);
  markStanding(lines, entries);
  return lines;
}

function markPlanned(lines: readonly Line[], created: string): void {
  const byId = new Map(lines.map((line) => [line.lineId, line]));
  for (const line of lines) {
    let first = line;
    for (let steps = 0; steps < lines.length && first.replaces !== null; steps++)
      first = byId.get(first.replaces) ?? { ...first, replaces: null };
    line.firstOpId = first.opId;
    line.isPlanned = first.opId === created;
  }
}

interface Taking {
  /** The place of its change among all changes of the treatment. */
  place: number;
  /** What takes the place of the line; null when it was taken away. */
  by: Line | null;
}

function markStanding(lines: readonly Line[], entries: readonly Entry[]): void {
  const billed = new Set(invoicesIn(entries).flatMap(({ invoice }) => invoice.line_ids));
  const takings = takingsOf(lines, entries);
  const leadsToBilled = (line: Line | null, depth = 0): boolean =>
    line !== null &&
    depth <= lines.length &&
    (billed.has(line.lineId) || takings(line).some(({ by }) => leadsToBilled(by, depth + 1)));
  const isStronger = (a: Taking, b: Taking): boolean => {
    const [ofA, ofB] = [leadsToBilled(a.by), leadsToBilled(b.by)];
    if (ofA !== ofB) return ofA;
    if (a.place !== b.place) return a.place > b.place;
    return (a.by?.lineId ?? '') > (b.by?.lineId ?? '');
  };
  for (const line of lines) line.stands = billed.has(line.lineId);
  const ids = new Set(lines.map(({ lineId }) => lineId));
  for (const root of lines.filter(({ replaces }) => replaces === null || !ids.has(replaces))) {
    const met = new Set<Line>();
    for (let line: Line | null = root; line && !billed.has(line.lineId) && !met.has(line);) {
      met.add(line);
      const own = takings(line);
      if (own.length === 0) line.stands = true;
      line = own.length === 0 ? null : own.reduce((best, taking) => (isStronger(taking, best) ? taking : best)).by;
    }
  }
}

function takingsOf(lines: readonly Line[], entries: readonly Entry[]): (line: Line) => Taking[] {
  const changes = inFactOrder(ofKind(entries, 'order.change'));
  return ({ lineId }) =>
    changes.flatMap(({ opId, payload }, place) => [
      ...(payload.removed_line_ids ?? []).flatMap((id) => (id === lineId ? { place, by: null } : [])),
      ...lines.flatMap((by) => (by.opId === opId && by.replaces === lineId ? { place, by } : [])),
    ]);
}

/**
 * Sorts changes (decision 043). A device's own stand in the order of its sequence, so one takes the time of an earlier one of
 * its device where its own clock says less. Between devices time decides, then the device.
 */
function inFactOrder(changes: readonly EntryOf<'order.change'>[]): EntryOf<'order.change'>[] {
  const timeOf = new Map<string, number>();
  for (const { opId, atMs, deviceId, deviceSeq } of changes) {
    const own = deviceSeq === 0 ? [] : changes.filter((each) => each.deviceId === deviceId && each.deviceSeq > 0);
    const known = (is: (seq: number) => boolean) =>
      own.flatMap((each) => (is(each.deviceSeq) ? (timeOf.get(each.opId) ?? []) : []));
    const notBefore = Math.max(atMs, ...known((seq) => seq < deviceSeq));
    timeOf.set(opId, Math.min(notBefore, ...known((seq) => seq > deviceSeq)));
  }
  const time = ({ opId }: EntryOf<'order.change'>) => timeOf.get(opId)!;
  return changes.toSorted((a, b) => time(a) - time(b) || a.deviceId - b.deviceId || a.deviceSeq - b.deviceSeq);
}

/** Returns the part of the agreed discount that belongs to some lines: that of the services of the plan among them. */
export function discountOn(agreed: number, lines: readonly Line[], isIn: (line: Line) => boolean): number {
  const planned = lines.filter(({ isPlanned }) => isPlanned);
  const whole = sumOf(
    planned.filter(({ replaces }) => replaces === null),
    ({ worth }) => worth,
  );
  const part = sumOf(planned.filter(isIn), ({ worth }) => worth);
  return part >= whole ? agreed : proportion(agreed, part, whole);
}
