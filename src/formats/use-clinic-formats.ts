import { useFormats } from './use-formats.ts';
import { useClinicSettings } from '../device/use-clinic-settings.ts';

/** Dates and quantities in the reader's language, by the clinic's clock. */
export const useClinicFormats = () => useFormats(useClinicSettings().time_zone);
