import { useTranslation } from 'react-i18next';
import type { Refusal } from '../../../domain/result.ts';
import { toast } from '../../ui/toaster.tsx';

/** Says why something was not done: the refusal's own sentence under what failed. */
export function useRefusalToast(): (title: string, refusal: Refusal) => void {
  const { t } = useTranslation();
  return (title, { code, details }) => {
    const tooMany = code === 'VALIDATION' && details?.['max'] !== undefined;
    const text = tooMany ? t('counter.plan.tooMany', { max: details['max'] }) : t(`errors.${code}`);
    const name = details?.['name'];
    toast({ tone: 'error', title, text: name === undefined ? text : `${name}: ${text}` });
  };
}
