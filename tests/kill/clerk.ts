/** Whoever stands at the counter: sells without a pause, and remembers every invoice that came out of the printer. */
import { setTimeout as sleep } from 'node:timers/promises';
import { invoiceNumber } from '../support/tablet.ts';
import type { Tablet } from '../support/tablet.ts';

const services = ['Dental cleaning', 'Dental check-up', 'Fluoride varnish'];

export class Clerk {
  /** Numbers on paper: for the patient these sales have happened. */
  readonly papers: string[] = [];
  private turn = 0;

  async sell(tablet: Tablet): Promise<void> {
    this.turn += 1;
    const paper = await tablet.sellForCash(services[this.turn % services.length]);
    this.papers.push(await invoiceNumber(paper));
    await paper.close();
  }

  /**
   * Sells until the work ends, and tells how many sales came to their paper. One that the machine's death interrupted has
   * none; anything else that fails is thrown.
   */
  async sellDuring(
    tablet: () => Tablet,
    work: Promise<void>,
    { mayBeInterrupted }: { mayBeInterrupted: boolean },
  ): Promise<number> {
    const before = this.papers.length;
    const shift = { isOver: false };
    const ended = work.finally(() => {
      shift.isOver = true;
    });
    const selling = async (): Promise<void> => {
      while (!shift.isOver) {
        try {
          await this.sell(tablet());
        } catch (error) {
          if (!mayBeInterrupted) throw error;
          return;
        }
      }
    };
    const sales = selling();
    // A page whose process died while it was opening answers the driver nothing, not even that it has crashed.
    const lastSale = mayBeInterrupted ? Promise.race([sales, ended.then(async () => sleep(15_000))]) : sales;
    await Promise.all([ended, lastSale]);
    return this.papers.length - before;
  }
}
