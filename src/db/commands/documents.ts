import type { ClinicDatabase } from '../database.ts';

/** Counts a print on this device and says the how-manieth it was: every one after the first is a copy. */
export function incrementPrintCount(db: ClinicDatabase, documentId: string): Promise<number> {
  return db.transaction('rw', db.documents, async () => {
    const document = await db.documents.get(documentId);
    if (!document) return 0;
    const prints = document.prints + 1;
    await db.documents.put({ ...document, prints });
    return prints;
  });
}
