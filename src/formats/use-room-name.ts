import { useTranslation } from 'react-i18next';

/** What a room is called in a sentence: a figure needs a word before it, a name does not. */
export function useRoomName(): (number: string) => string {
  const { t } = useTranslation();
  return (number) => (/^\d/.test(number) ? t('counter.room.named', { number }) : number);
}
