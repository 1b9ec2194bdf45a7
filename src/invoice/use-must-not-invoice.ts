import { mustNotInvoice } from '#domain/settings/verifactu.ts';
import { useToday } from '../formats/clock.ts';
import { useClinicSettings } from '../local-data/use-clinic-settings.ts';

/** Returns true while the clinic issues no invoice, because it is bound to VERI*FACTU and has not begun. */
export function useMustNotInvoice(): boolean {
  const settings = useClinicSettings();
  const today = useToday();
  return today !== undefined && mustNotInvoice(settings, today);
}
