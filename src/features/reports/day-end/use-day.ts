import { useSearchParams } from 'react-router-dom';
import { isDay } from '../../../../domain/business-day.ts';
import { useToday } from '../../../formats/use-today.ts';

export interface ChosenDay {
  /** Undefined until the clinic's own day is known. */
  day: string | undefined;
  today: string | undefined;
  choose: (day: string) => void;
}

/** The business day that is looked at, kept in the address: today unless another was chosen, and none that has not come yet. */
export function useDay(): ChosenDay {
  const [address, setAddress] = useSearchParams();
  const today = useToday();
  const asked = address.get('day') ?? '';
  const isGone = (day: string) => isDay(day) && today !== undefined && day < today;
  function choose(day: string) {
    setAddress(
      (before) => {
        const after = new URLSearchParams(before);
        if (isGone(day)) after.set('day', day);
        else after.delete('day');
        return after;
      },
      { replace: true },
    );
  }
  return { day: isGone(asked) ? asked : today, today, choose };
}
