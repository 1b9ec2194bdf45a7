import { useTranslation } from 'react-i18next';
import { Banner } from '../ui/banner.tsx';
import { Button } from '../ui/button.tsx';

/** Says that a form shows what was typed earlier, and offers to begin again. */
export function RestoredNote({ form: { wasRestored, startOver } }: { form: { wasRestored: boolean; startOver: () => void } }) {
  const { t } = useTranslation();
  if (!wasRestored) return null;
  return (
    <Banner
      tone="accent"
      title={t('form.restored')}
      actions={
        <Button size="sm" onClick={startOver}>
          {t('form.discard')}
        </Button>
      }
    />
  );
}
