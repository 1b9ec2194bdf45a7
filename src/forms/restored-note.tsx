import { useTranslation } from 'react-i18next';
import { Banner } from '../ui/banner.tsx';
import { Button } from '../ui/button.tsx';

export interface RestoredForm {
  wasRestored: boolean;
  startOver: () => void;
  formState: { isSubmitting: boolean };
}

/** Tells that the form shows a restored draft, and offers to start over. */
export function RestoredNote({ form: { wasRestored, startOver, formState } }: { form: RestoredForm }) {
  const { t } = useTranslation();
  if (!wasRestored) return null;
  return (
    <Banner
      tone="accent"
      title={t('form.restored')}
      actions={
        <Button size="sm" disabled={formState.isSubmitting} onClick={startOver}>
          {t('form.discard')}
        </Button>
      }
    />
  );
}
