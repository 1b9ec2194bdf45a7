/** The context of commands that print: the write context, and the language and labels of documents. */
import type { Composed } from '#domain/order/compose.ts';
import type { IssueContext } from '#domain/order/compose-documents.ts';
import type { DocumentLabels } from '#domain/order/document-writer.ts';
import type { ClinicSettings } from '#domain/settings/settings.ts';
import type { Write, WriteContext } from '../write.ts';

export interface PrintContext {
  language: 'en' | 'sp';
  labels: DocumentLabels;
  cashierName: string;
}

export interface CommandContext extends WriteContext {
  print: PrintContext;
}

/** Returns how this device issues the documents of a command. */
export const issueContext = (write: Write, settings: ClinicSettings, print: PrintContext): IssueContext => ({
  settings: write.issuing(settings),
  ...print,
  atMs: write.effectiveMs,
  newId: () => write.newId(),
});

/** Returns a composed payload with this device's next number, if it needs one. */
export const numbered = <Payload>(write: Write, { series, payload }: Composed<Payload>): Payload =>
  series === null ? payload : payload(write.nextNumber(series));
