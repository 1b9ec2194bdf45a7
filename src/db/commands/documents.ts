import type { ClinicDatabase } from '../database.ts';

/** Counts a print on this device and says the how-manieth it was: every one after the first is a copy. */
export function notePrinted(db: ClinicDatabase, documentId: string): Promise<number> {
  return db.transaction('rw', db.papers, async () => {
    const paper = await db.papers.get(documentId);
    if (!paper) return 0;
    const prints = paper.prints + 1;
    await db.papers.put({ ...paper, prints });
    return prints;
  });
}
