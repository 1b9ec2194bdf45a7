import { chakra } from '@chakra-ui/react';
import { useState } from 'react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { isReasonTooShort } from '#domain/reason.ts';
import type { Result } from '#domain/result.ts';
import { textLimits } from '#domain/limits.ts';
import { Button } from '#src/ui/button.tsx';
import { Dialog } from '#src/ui/dialog.tsx';
import { TextField } from '#src/ui/text-field.tsx';
import { toast } from '#src/ui/toaster.tsx';

interface VoidFormProps {
  open: boolean;
  /** Number of operations that are voided. */
  count: number;
  onVoid: (reason: string) => Promise<Result<{ opIds: string[] }>>;
  onClose: () => void;
  children?: ReactNode;
}

export function VoidForm({ open, count, onVoid, onClose, children }: VoidFormProps) {
  const { t } = useTranslation();
  const [reason, setReason] = useState('');
  const [submitted, setSubmitted] = useState(false);
  const isReasonShort = isReasonTooShort(reason);

  async function confirm() {
    setSubmitted(true);
    if (isReasonShort) return;
    const result = await onVoid(reason);
    if (result.ok) toast({ tone: 'success', title: t('outbox.voiding.done', { count: result.value.opIds.length }) });
    else toast({ tone: 'error', title: t(`errors.${result.refusal.code}`) });
    onClose();
  }

  return (
    <Dialog
      open={open}
      onClose={onClose}
      title={t('outbox.voiding.title', { count })}
      onSubmit={() => void confirm()}
      actions={
        <>
          <Button onClick={onClose}>{t('outbox.voiding.cancel')}</Button>
          <Button type="submit" variant="danger">
            {t('outbox.voiding.confirm', { count })}
          </Button>
        </>
      }
    >
      <chakra.p color="fg.muted">{t('outbox.voiding.text', { count })}</chakra.p>
      {children}
      <TextField
        label={t('outbox.voiding.reason')}
        hint={t('outbox.voiding.reasonHint')}
        error={submitted && isReasonShort ? t('outbox.voiding.reasonShort') : undefined}
        maxLength={textLimits.reason}
        value={reason}
        onChange={(event) => setReason(event.target.value)}
      />
    </Dialog>
  );
}
