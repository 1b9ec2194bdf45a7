import type { Table } from 'dexie';
import type { ClinicDatabase } from './database.ts';

/** Names of the errors of a transaction that has ended before its work: of the browser's, and of Dexie's. */
const endedEarly = ['InvalidStateError', 'TransactionInactiveError', 'PrematureCommitError'];
const mostAttempts = 3;

/**
 * Reads tables as they are at one moment, in one transaction. Firefox handles other events while the page opens a window,
 * and the promises of the page wait meanwhile, so a transaction between two reads ends. Then everything is read again.
 */
export async function readTogether<Value>(
  db: ClinicDatabase,
  tables: readonly Table[],
  read: () => Promise<Value>,
): Promise<Value> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await db.transaction('r', [...tables], read);
    } catch (error) {
      if (attempt === mostAttempts || !endedEarly.includes((error as Error).name)) throw error;
    }
  }
}
