import { useTranslation } from 'react-i18next';
import type { NounWords } from '#src/decisions/changes.ts';
import { useClinicFormats } from '#src/formats/use-formats.ts';

/** The fields of a room in words, for what has changed since it was shown. */
export function useRoomWords(): NounWords {
  const { t } = useTranslation();
  const { quantity } = useClinicFormats();
  return {
    number: { label: t('rooms.fields.number') },
    capacity: { label: t('rooms.fields.capacity'), text: quantity },
    location: { label: t('rooms.fields.location') },
    is_occupied: {
      label: t('decisions.state'),
      text: (isOccupied: boolean) => t(isOccupied ? 'rooms.status.occupied' : 'rooms.status.available'),
    },
  };
}
