import { ClinicDatabase } from '../db/database.ts';
import { leaveNoTransaction, watchTransactions } from './transactions.ts';

/**
 * The database of this device. It opens in parallel with the start of the app; if it can't open, the first query
 * reports the error.
 */
export const db = new ClinicDatabase();
watchTransactions(db);
leaveNoTransaction(db);
db.open().catch(() => undefined);
