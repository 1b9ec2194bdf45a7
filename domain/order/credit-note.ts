/** Issuing a credit note: the same on a tablet and on the server. */
import type { CreditNotePayload } from '../protocol/operations.ts';
import { creditNoteRows } from './printed-document.ts';
import type { CreditNoteContent, DocumentContext } from './printed-document.ts';

/** The paper of a refund, word for word as it is handed out. */
export function issueCreditNote(context: DocumentContext, note: CreditNoteContent): CreditNotePayload {
  return {
    printed: creditNoteRows(context, note),
    language: context.language,
    issued_at: new Date(note.issuedAtMs).toISOString(),
  };
}
