import { setTimeout as sleep } from 'node:timers/promises';
import type { Tablet } from '../support/tablet.ts';
import { invoiceNumber } from '../support/tablet.ts';

/** Favourites of the demo clinic: their tiles come first, whatever it has sold before. Tiles out of view are not in the page. */
const services = ['Dental cleaning', 'Dental check-up', 'Intraoral X-ray'];

/** A cashier who sells without a pause. The workload records every invoice that was printed. */
export class SalesWorkload {
  /** Numbers of the printed invoices. The patient holds them, so these sales must never be lost. */
  readonly invoiceNumbers: string[] = [];
  private salesStarted = 0;

  async sell(tablet: Tablet): Promise<void> {
    this.salesStarted += 1;
    const printed = await tablet.sellForCash(services[this.salesStarted % services.length]);
    this.invoiceNumbers.push(await invoiceNumber(printed));
    await printed.close();
  }

  /**
   * Sells until `fault` resolves.
   *
   * @param mayBeInterrupted when true, a failed sale ends the selling; otherwise it is thrown
   * @returns the number of sales that printed their invoice
   */
  async sellDuring(
    tablet: () => Tablet,
    fault: Promise<void>,
    { mayBeInterrupted }: { mayBeInterrupted: boolean },
  ): Promise<number> {
    const before = this.invoiceNumbers.length;
    const progress = { isOver: false };
    const ended = fault.finally(() => {
      progress.isOver = true;
    });
    const selling = async (): Promise<void> => {
      while (!progress.isOver) {
        try {
          await this.sell(tablet());
        } catch (error) {
          if (!mayBeInterrupted) throw error;
          return;
        }
      }
    };
    const sales = selling();
    // When the process of a page dies while the page opens, Playwright receives no answer, not even a crash event.
    const lastSale = mayBeInterrupted ? Promise.race([sales, ended.then(async () => sleep(15_000))]) : sales;
    await Promise.all([ended, lastSale]);
    return this.invoiceNumbers.length - before;
  }
}
