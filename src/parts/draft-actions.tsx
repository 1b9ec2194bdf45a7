import { useTranslation } from 'react-i18next';
import { Button } from '../ui/button.tsx';

interface DraftActionsProps {
  /** The `id` of the form that the second button sends. */
  formId: string;
  isNew: boolean;
  isRunning: boolean;
  submitLabel: string;
  onCancel: () => Promise<void>;
}

/** Under a form in a dialog: one button gives up what was typed, the other sends it. */
export function DraftActions({ formId, isNew, isRunning, submitLabel, onCancel }: DraftActionsProps) {
  const { t } = useTranslation();
  return (
    <>
      <Button disabled={isRunning} onClick={() => void onCancel()}>
        {t('form.cancel')}
      </Button>
      <Button variant="primary" type="submit" form={formId} disabled={isRunning}>
        {isRunning ? t(isNew ? 'form.creating' : 'form.updating') : submitLabel}
      </Button>
    </>
  );
}
