import { ClinicDatabase } from '../db/database.ts';

/** This device's database. It opens beside the rest of the start; where it cannot, whoever asks it something hears why. */
export const db = new ClinicDatabase();
db.open().catch(() => undefined);
