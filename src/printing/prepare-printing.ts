/** Loads what documents need before the first one is printed, so that it also prints without a network. */
import { clinicSettings } from '../db/singletons.ts';
import { db } from '../local-data/database.ts';
import { loadLogo } from './logo.ts';
import { loadLetters } from './typeface.ts';

/** The worker keeps what is loaded here. */
export async function preparePrinting(): Promise<void> {
  const { logo_url } = await clinicSettings(db);
  await Promise.all([loadLogo(logo_url), loadLetters()]);
}
