/** What every command is given: where to write, by whose hand, and the words of the paper. */
import type { PaperLabels } from '../../../domain/order/paper.ts';
import type { WriteContext } from '../write.ts';

export interface PrintContext {
  language: 'en' | 'sp';
  labels: PaperLabels;
  cashierName: string;
}

export interface CommandContext extends WriteContext {
  print: PrintContext;
}
