/** Draws what a person does to a treatment that is known; null where there is nothing to do. Money is cents. */
import type { Random } from '#tests/support/random.ts';
import { invoicesIn } from '../standing.ts';
import { cents, proportion, sumOf } from '../integers.ts';
import { proposedLines } from '../expected-documents.ts';
import { treatmentOf } from '../treatment.ts';
import type { Treatment } from '../treatment.ts';
import { methods } from '../wire.ts';
import type { Entry } from '../wire.ts';
import type { Service } from './clinic.ts';
import { lineOnWire } from './worker.ts';
import type { GivenBack, Ordered, Payment, Plan } from './worker.ts';

export function chooseServices(random: Random, services: readonly Service[], most = 3): Ordered[] {
  const quantity = () => (random.happens(0.75) ? random.between(1, 3) : random.between(1001, 3500) / 1000);
  return Array.from({ length: random.between(1, most) }, () => ({
    service: random.pick(services),
    quantity: quantity(),
  }));
}

export function choosePlan(random: Random, ordered: readonly Ordered[]): Plan {
  const worth = sumOf(ordered, ({ service, quantity }) =>
    proportion(Math.round(quantity * 1000), cents(service.price), 1000),
  );
  return {
    discount: random.happens(0.5) ? random.between(0, Math.floor(worth / 2)) : 0,
    charge: random.happens(0.15) ? random.between(1, 2000) : 0,
    type: random.pick(['walk_in', 'scheduled', 'emergency', 'dine_in', 'take_away', 'delivery']),
    customer: random.pick(['', 'María José Núñez', 'Ana Gil']),
  };
}

export function choosePayment(random: Random, { status, balance }: Treatment): Payment | null {
  if (status !== 'confirmed' || balance < 0) return null;
  const method = random.pick(methods);
  const isFull = random.happens(0.3);
  const kind = random.weighted({ all: 60, part: 25, more: 15 });
  if (kind === 'part' && balance > 1) return { tendered: random.between(1, balance - 1), method, isFull };
  const change = kind === 'more' && balance > 0 ? random.between(1, 5000) : 0;
  return { tendered: balance + change, method: change > 0 ? 'cash' : method, isFull };
}

export function chooseRefund(random: Random, known: Treatment): GivenBack | null {
  const { paid, owed, lines } = known;
  if (paid <= 0) return null;
  const method = random.pick(methods);
  const whole = { lineIds: [], isStillOwed: false, method };
  if (paid > owed && random.happens(0.5)) return { ...whole, amount: paid - owed };
  const earning = lines.filter(({ earned }) => earned > 0);
  const kind = random.weighted({ lines: earning.length > 0 ? 50 : 0, allowance: 20, all: 15, mistake: 15 });
  if (kind === 'all') return { ...whole, amount: paid };
  if (kind === 'allowance') return { ...whole, amount: random.between(1, Math.ceil(paid / 3)) };
  if (kind === 'mistake')
    return { ...whole, amount: random.happens(0.5) ? paid : random.between(1, paid), isStillOwed: true };
  const first = random.pick(earning).lineId;
  const lineIds = [first, ...earning.flatMap(({ lineId }) => (lineId !== first && random.happens(0.3) ? lineId : []))];
  const most = sumOf(proposedLines(known, lineIds), ({ amount }) => amount);
  const share = random.weighted({ all: 6, part: 3, more: 1 });
  const amount = share === 'part' ? random.between(1, most) : share === 'more' ? random.between(most, paid) : most;
  return { amount, lineIds, isStillOwed: false, method };
}

/** Chooses a line that no invoice bills. A change leaves a line and something to pay. */
export function chooseChange(random: Random, known: Treatment): { lineId: string; quantity: number | null } | null {
  const billed = new Set(invoicesIn(known.entries).flatMap(({ invoice }) => invoice.line_ids));
  const open = known.lines.filter(({ lineId }) => !billed.has(lineId));
  if (known.status !== 'confirmed' || open.length === 0) return null;
  const { lineId } = random.pick(open);
  const quantity = random.happens(0.5) ? null : random.pick([1, 1.5, 2, 2.333, 4]);
  if (quantity === null && known.lines.length === 1) return null;
  const after = treatmentOf([...known.entries, changing(known, lineId, quantity)]);
  return after.paid > 0 && after.balance <= 0 ? null : { lineId, quantity };
}

function changing(known: Treatment, lineId: string, quantity: number | null): Entry {
  const item = { ...lineOnWire(known, lineId), line_id: 'new', replaces: lineId };
  const change = quantity === null ? { removed_line_ids: [lineId] } : { replaced_items: [{ ...item, quantity }] };
  const payload = { order_id: known.id, ...change };
  return {
    opId: 'z',
    kind: 'order.change',
    payload,
    deviceId: 0,
    deviceSeq: 0,
    actorId: 0,
    atMs: Number.MAX_SAFE_INTEGER,
  };
}
