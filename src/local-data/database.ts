import { ClinicDatabase } from '../db/database.ts';

/**
 * The database of this device. It opens in parallel with the start of the app; if it can't open, the first query
 * reports the error.
 */
export const db = new ClinicDatabase();
db.open().catch(() => undefined);
