import { useTranslation } from 'react-i18next';
import type { Refusal } from '#domain/result.ts';
import { toast } from '#src/ui/toaster.tsx';

/** Returns a function that shows a refusal: a title that says what failed, and the text of the refusal's code. */
export function useRefusalToast(): (title: string, refusal: Refusal) => void {
  const { t } = useTranslation();
  return (title, { code, details }) => {
    const tooMany = code === 'VALIDATION' && details?.['max'] !== undefined;
    const text = tooMany ? t('counter.plan.tooMany', { max: details['max'] }) : t(`errors.${code}`);
    const name = details?.['name'];
    toast({ tone: 'error', title, text: typeof name !== 'string' ? text : `${name}: ${text}` });
  };
}
