import { useTranslation } from 'react-i18next';

/** Names a room within a sentence: "room 3" for a number, a name as it is. */
export function useRoomName(): (number: string) => string {
  const { t } = useTranslation();
  return (number) => (/^\d/.test(number) ? t('counter.room.named', { number }) : number);
}
