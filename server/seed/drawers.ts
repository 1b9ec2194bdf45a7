/**
 * The cash drawer of the demo's front desk: opened in the morning, moved, and counted in the evening with small
 * differences.
 */
import { dayMs } from '#domain/durations.ts';
import { businessDay } from '#domain/business-day.ts';
import type { ByMethod, Drawer } from '#domain/drawer/drawer.ts';
import { reduceDrawer, drawerAggregate } from '#domain/drawer/operations.ts';
import type { DrawerOperation } from '#domain/drawer/operations.ts';
import { drawerPayments } from '#domain/drawer/drawer-payments.ts';
import { drawerReport, paymentsInto } from '#domain/drawer/report.ts';
import type { DrawerPayment } from '#domain/drawer/report.ts';
import { minorToWire } from '#domain/money.ts';
import { uuidV7 } from '#domain/uuid.ts';
import { isoOf } from '#domain/instant.ts';
import type { Sql } from '../db/sql.ts';
import { writeDrawers } from '../modules/drawers/service.ts';
import type { DrawerStep } from '../modules/drawers/service.ts';
import type { DayOfWork } from './history.ts';
import { SeededRandom } from './random.ts';
import type { Say } from './words.ts';

const minuteMs = 60_000;
/** The last days have no drawer, so that a visitor can open one. */
const latestDaysAgo = 3;
const floatMinor = 15_000;
/** Cash above this amount goes to the bank at the end of the day. */
const keptMinor = 60_000;

/** An amount paid out of the drawer on a day. */
export interface CashSpent {
  day: string;
  title: string;
  /** A wire decimal. */
  amount: number;
}

export interface DrawersInput {
  clinicId: number;
  deviceId: number;
  sellers: readonly number[];
  days: readonly DayOfWork[];
  spent: readonly CashSpent[];
  say: Say;
  nowMs: number;
  timeZone: string;
  currency: string;
}

/** @returns by business day, the id of the open drawer */
export async function seedDrawers(sql: Sql, input: DrawersInput): Promise<Map<string, string>> {
  const { clinicId, days, nowMs, timeZone } = input;
  const random = new SeededRandom(19_870_401);
  // The final state of each treatment, with its payment and refund.
  const orders = new Map(
    days
      .flatMap(({ orders: sold, refunded }) => [...sold, ...refunded.map(({ after }) => after)])
      .map((order) => [order.id, order]),
  );
  const payments = [...orders.values()].flatMap(drawerPayments);
  const drawers = new Map<string, string>();
  for (const day of days.filter(({ endsAtMs }) => endsAtMs < nowMs - latestDaysAgo * dayMs)) {
    const desk = new DrawerDay(input, random, day);
    await writeDrawers(sql, { clinicId }, desk.steps(payments));
    drawers.set(businessDay(day.endsAtMs, timeZone), desk.drawer!.id);
  }
  return drawers;
}

/** A day of the drawer. */
class DrawerDay {
  drawer: Drawer | null = null;
  private readonly made: DrawerStep[] = [];

  constructor(
    private readonly input: DrawersInput,
    private readonly random: SeededRandom,
    private readonly day: DayOfWork,
  ) {}

  steps(payments: readonly DrawerPayment[]): DrawerStep[] {
    const { spent, timeZone } = this.input;
    const { opensAtMs, endsAtMs } = this.day;
    const drawer_id = this.newId(opensAtMs);
    this.apply(opensAtMs - 10 * minuteMs, drawer_id, 'drawer.open', {
      drawer_id,
      currency: this.input.currency,
      float: minorToWire(floatMinor),
    });
    const move = (atMs: number, direction: 'in' | 'out', amount: number, reason: string) =>
      this.apply(atMs, drawer_id, 'drawer.move', { drawer_id, direction, amount, reason });
    const { say } = this.input;
    if (this.random.next() < 0.2) move(opensAtMs + 95 * minuteMs, 'in', 50, say('Coins from the bank'));
    const today = businessDay(endsAtMs, timeZone);
    for (const { title, amount } of spent.filter(({ day }) => day === today))
      move(opensAtMs + 160 * minuteMs, 'out', amount, title);
    const cashMinor = this.expected(payments).cash;
    if (cashMinor > keptMinor)
      move(endsAtMs - 8 * minuteMs, 'out', Math.floor((cashMinor - floatMinor) / 5000) * 50, say('To the bank'));
    const missedMinor = this.random.weighted([
      [0, 65],
      [-5, 8],
      [10, 6],
      [-50, 6],
      [100, 5],
      [-200, 5],
      [-1000, 3],
      [500, 2],
    ]);
    const { cash, card, insurance, others } = this.expected(payments);
    const counted = {
      cash: minorToWire(cash + missedMinor),
      card: minorToWire(card),
      insurance: minorToWire(insurance),
      others: minorToWire(others),
    };
    this.apply(endsAtMs, drawer_id, 'drawer.close', {
      drawer_id,
      counted,
      ...(Math.abs(missedMinor) >= 500 && { notes: say('Counted twice.') }),
    });
    return this.made;
  }

  private expected(payments: readonly DrawerPayment[]): ByMethod {
    const drawer = this.drawer!;
    const until = payments.filter(({ atMs }) => atMs < this.day.endsAtMs);
    return drawerReport(drawer, paymentsInto(drawer, [drawer], until), []).expected;
  }

  private apply(atMs: number, drawerId: string, kind: DrawerOperation['kind'], payload: object): void {
    const { deviceId, sellers } = this.input;
    const operation = {
      op_id: this.newId(atMs),
      device_id: deviceId,
      device_seq: 0,
      aggregate: drawerAggregate(drawerId),
      depends_on: [],
      kind,
      v: 1,
      payload,
      actor_id: this.random.pick(sellers),
      occurred_at: isoOf(atMs),
      clock_offset_ms: 0,
    } as unknown as DrawerOperation;
    const before = this.drawer;
    this.drawer = reduceDrawer(before, operation, atMs)!;
    this.made.push({ before, after: this.drawer, operation, atMs });
  }

  private newId(atMs: number): string {
    return uuidV7(atMs, this.random.bytes(10));
  }
}
