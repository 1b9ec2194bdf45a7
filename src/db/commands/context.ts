/** What every command is given: where to write, by whose hand, and the words of the paper. */
import type { DocumentLabels } from '../../../domain/order/printed-document.ts';
import type { WriteContext } from '../write.ts';

export interface PrintContext {
  language: 'en' | 'sp';
  labels: DocumentLabels;
  cashierName: string;
}

export interface CommandContext extends WriteContext {
  print: PrintContext;
}
