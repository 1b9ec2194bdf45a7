/** The context of commands that print: the write context, and the language and labels of documents. */
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
