import { ClinicDatabase } from '../db/database.ts';

/** This device's database; it opens on first use. */
export const db = new ClinicDatabase();
