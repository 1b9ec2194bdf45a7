import { useTranslation } from 'react-i18next';
import { currencyLabel, formatMinor, minorFromWire } from '#domain/money.ts';
import { useClinicFormats } from '../formats/use-formats.ts';
import { useCurrency } from '../local-data/use-clinic-settings.ts';

/** Returns functions that write the values of form fields in a sentence, as the form shows them. */
export function useFieldTexts() {
  const { t } = useTranslation();
  const formats = useClinicFormats();
  const currency = useCurrency();
  return {
    money: (wire: number): string => formatMinor(minorFromWire(wire), currencyLabel(currency)),
    quantity: (value: number): string => formats.quantity(value),
    day: (day: string): string => (day === '' ? '' : formats.day(day)),
    flag: (isOn: boolean): string => t(isOn ? 'form.meanwhile.yes' : 'form.meanwhile.no'),
    picture: (url: string | null): string => (url ? t('form.meanwhile.picture') : ''),
  };
}
