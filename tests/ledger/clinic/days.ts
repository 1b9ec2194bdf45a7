/**
 * Some days of a clinic, drawn from a seed: a desk and three tablets, which are off line for hours or days, make, change, pay,
 * refund, invoice and cancel treatments.
 */
import type { Random } from '#tests/support/random.ts';
import { dayMs, hourMs } from '../calendar.ts';
import { standingInvoices } from '../documents.ts';
import { choosePayment, choosePlan, chooseChange, chooseRefund, chooseServices } from './choices.ts';
import { LedgerClinic } from './clinic.ts';
import { CounterDevice } from './counter-device.ts';
import { Desk } from './desk.ts';
import type { Worker } from './worker.ts';

/** The clinic's clocks are put forward in these days, and a month ends. */
const firstMorning = Date.parse('2026-03-27T07:00:00Z');
const dayLengthMs = 11 * hourMs;

const actions = { create: 20, pay: 34, refund: 22, add: 12, change: 9, cancel: 4, drawer: 4 };
const taxedActions = { ...actions, bill: 6, exchange: 7 };
type Treating = Exclude<keyof typeof taxedActions, 'create' | 'drawer'>;
/** How many things are tried for each treatment; not each is possible. */
const stepsPerTreatment = 5;

export interface Workload {
  days: number;
  treatments: number;
  /** The day on which the clinic changes to another currency; none where it keeps its own. */
  rupeesFrom?: number | undefined;
}

export class ClinicDays {
  readonly desk: Desk;
  private readonly devices: CounterDevice[] = [];

  private constructor(
    readonly clinic: LedgerClinic,
    private readonly random: Random,
  ) {
    this.desk = new Desk(clinic);
  }

  static async open(random: Random, { isTaxed }: { isTaxed: boolean }): Promise<ClinicDays> {
    const clinic = await LedgerClinic.open(firstMorning, { isTaxed, random });
    const days = new ClinicDays(clinic, random);
    for (let count = 0; count < 3; count++) days.devices.push(await CounterDevice.enrol(clinic));
    return days;
  }

  /** Runs all days. @param eachEvening is called at the end of each day, when a tablet may still hold work of it */
  async run({ days, treatments, rupeesFrom }: Workload, eachEvening: () => Promise<void>): Promise<void> {
    const { clinic, random } = this;
    const steps = Math.ceil((treatments * stepsPerTreatment) / days);
    for (let day = 0; day < days; day++) {
      clinic.nowMs = firstMorning + day * dayMs;
      if (day === rupeesFrom) await clinic.changeCurrency('LKR');
      for (const device of this.devices) device.isOnline = random.happens(0.7);
      for (let step = 0; step < steps; step++) {
        clinic.pass(random.between(1, Math.floor((2 * dayLengthMs) / steps)));
        await this.step();
      }
      await eachEvening();
    }
    for (const device of this.devices) {
      device.isOnline = true;
      await device.sync();
    }
    await eachEvening();
  }

  private async step(): Promise<void> {
    const { random, clinic } = this;
    if (random.happens(0.25)) await random.pick(this.devices).sync({ isTwice: random.happens(0.1) });
    const device = random.pick(this.devices);
    const worker: Worker = random.happens(0.4) ? this.desk : device;
    const action = random.weighted<keyof typeof taxedActions>(clinic.isTaxed ? taxedActions : actions);
    if (action === 'create') {
      const ordered = chooseServices(random, clinic.services);
      return worker.create(ordered, choosePlan(random, ordered));
    }
    if (action === 'drawer') return this.useDrawer(device);
    const id = this.pickTreatment(worker);
    if (id === undefined) return;
    await this.treat(worker, id, action);
    // Somebody else treats the same patient, and does not know of it.
    const other = random.pick(this.devices);
    if (other !== worker && random.happens(0.4) && other.newest(60).includes(id))
      await this.treat(other, id, random.pick([action, action, action, 'pay', 'refund']));
  }

  private pickTreatment(worker: Worker): string | undefined {
    const ids = worker.newest(this.random.happens(0.85) ? 8 : 60);
    return ids.length === 0 ? undefined : this.random.pick(ids);
  }

  private async treat(worker: Worker, id: string, action: Treating): Promise<void> {
    const { random, clinic } = this;
    const known = worker.treatment(id);
    switch (action) {
      case 'pay': {
        const payment = choosePayment(random, known);
        return payment ? worker.pay(known, payment) : undefined;
      }
      case 'refund': {
        const refund = chooseRefund(random, known);
        return refund ? worker.refund(known, refund) : undefined;
      }
      case 'change': {
        const change = chooseChange(random, known);
        return change ? worker.change(known, change.lineId, change.quantity) : undefined;
      }
      case 'add':
        return known.status === 'cancelled'
          ? undefined
          : worker.addServices(known, chooseServices(random, clinic.services, 2));
      case 'cancel':
        return known.paid === 0 && known.status !== 'cancelled' ? worker.cancel(known) : undefined;
      case 'bill':
        if (known.status !== 'cancelled') await worker.bill(known, random.happens(0.4));
        // Some of those who get an invoice never come, so it is taken back.
        return random.happens(0.25) ? this.treat(worker, id, 'cancel') : undefined;
      case 'exchange': {
        const simplified = standingInvoices(known.documents).filter(({ type }) => type === 'F2');
        return simplified.length > 0 ? worker.exchange(known, random.pick(simplified).number) : undefined;
      }
    }
  }

  private useDrawer(device: CounterDevice): void {
    const { random } = this;
    const drawer = device.openDrawer();
    const amount = () => random.between(0, 90_000) / 100;
    if (drawer === undefined) device.openWith(random.between(0, 20_000));
    else if (random.happens(0.5)) device.move(drawer, random.pick([-1, 1]) * random.between(1, 5000));
    else device.close(drawer, { cash: amount(), card: amount(), insurance: amount(), others: 0 });
  }
}
