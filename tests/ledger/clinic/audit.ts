/** A clinic whose days are over or go on, and everything of it that the ledger compares. */
import type { Random } from '#tests/support/random.ts';
import { treatmentsOf } from '../treatment.ts';
import type { Treatment } from '../treatment.ts';
import { ofKind } from '../wire.ts';
import { compareDrawers } from './compare-drawers.ts';
import { compareExports } from './compare-exports.ts';
import { compareReports } from './compare-reports.ts';
import { compareTreatments } from './compare-treatments.ts';
import { ClinicDays } from './days.ts';
import type { Workload } from './days.ts';

export class Audit {
  private constructor(private readonly days: ClinicDays) {}

  static async open(random: Random, { isTaxed }: { isTaxed: boolean }): Promise<Audit> {
    return new Audit(await ClinicDays.open(random, { isTaxed }));
  }

  /** Lets days pass, and compares the reports each evening. Returns what is not as the ledger says. */
  async work(workload: Workload): Promise<string[]> {
    const faults: string[] = [];
    await this.days.run(workload, async () => {
      faults.push(...(await compareReports(this.days.clinic, this.treatments())));
    });
    return [...this.days.desk.faults, ...faults];
  }

  /** Compares all that the API shows and the database stores. */
  async compare(): Promise<string[]> {
    const { clinic } = this.days;
    const treatments = this.treatments();
    return [
      ...(await compareTreatments(clinic, treatments)),
      ...(await compareDrawers(clinic, treatments)),
      ...(await compareReports(clinic, treatments)),
      ...(await compareExports(clinic, treatments)),
    ];
  }

  private treatments = (): Treatment[] => treatmentsOf(this.days.clinic.accepted);

  /** Returns how much happened, and how often what is rare. */
  marks(): Record<string, number> {
    const treatments = this.treatments();
    const count = (is: (treatment: Treatment) => boolean) => treatments.filter(is).length;
    const flagged = (flag: string) => count(({ flags }) => flags.includes(flag));
    return {
      treatments: treatments.length,
      completed: count(({ status }) => status === 'completed'),
      cancelled: count(({ status }) => status === 'cancelled'),
      overpaid: flagged('overpaid'),
      over_refunded: flagged('over_refunded'),
      refunded_twice: flagged('refunded_twice'),
      over_invoiced: flagged('over_invoiced'),
      under_invoiced: flagged('under_invoiced'),
      change_overruled: flagged('change_overruled'),
      cancel_overruled: flagged('cancel_overruled'),
      annulled: count(({ annulled }) => annulled > 0),
      exchanged: count(({ documents }) => documents.some(({ type }) => type === 'F3')),
      discounted: count(({ discount, reduction }) => discount > 0 && reduction > 0),
      in_rupees: count(({ currency }) => currency === 'LKR'),
      discount_taken_off: count(({ discounts }) => [...discounts.values()].some((minor) => minor < 0)),
      operations: this.days.clinic.accepted.length,
      allowances: count(({ reduction, lines }) => reduction > lines.reduce((all, { given }) => all + given, 0)),
      still_owed: count(({ entries }) => ofKind(entries, 'order.refund').some(({ payload }) => payload.still_owed)),
    };
  }

  close(): Promise<void> {
    return this.days.clinic.close();
  }
}
