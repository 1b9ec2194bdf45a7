import { useTranslation } from 'react-i18next';
import type { NounWords } from '#src/decisions/changes.ts';
import { useClinicFormats } from '#src/formats/use-formats.ts';

/** The fields of a patient in words, for what has changed since they were shown. */
export function usePatientWords(): NounWords {
  const { t } = useTranslation();
  const { dateTime } = useClinicFormats();
  return {
    name: { label: t('patients.name') },
    phone: { label: t('profile.data.phone') },
    erased_at: { label: t('decisions.erased'), text: dateTime },
  };
}
