import { chakra } from '@chakra-ui/react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { isReasonTooShort } from '#domain/reason.ts';
import { CallFailed, callServer, faultText } from '#src/api/client.ts';
import { db } from '#src/local-data/database.ts';
import { textLimits } from '#src/db/commands/storable-text.ts';
import { Button } from '#src/ui/button.tsx';
import { Dialog } from '#src/ui/dialog.tsx';
import { TextField } from '#src/ui/text-field.tsx';
import { toast } from '#src/ui/toaster.tsx';
import { useOnce } from '#src/ui/use-once.ts';

interface SettleDialogProps {
  /** `approve` applies the work that the item is about. */
  action: 'settle' | 'approve';
  id: number;
  sentence: string;
  onClose: () => void;
}

/** Settles an item with a reason. Both actions are idempotent, so the call needs no idempotency key. */
export function SettleDialog({ action, id, sentence, onClose }: SettleDialogProps) {
  const { t } = useTranslation();
  const [reason, setReason] = useState('');
  const [submitted, setSubmitted] = useState(false);
  const { pending, once } = useOnce();
  const isReasonShort = isReasonTooShort(reason);
  const texts = action === 'settle' ? 'settling' : 'approving';

  async function settle() {
    try {
      await callServer('post', `attention/${id}/${action}`, { reason });
      // The feed removes the item from every device later; here it disappears at once.
      await db.attention.delete(id);
      toast({ tone: 'success', title: t(`outbox.${texts}.done`) });
      onClose();
    } catch (thrown) {
      if (!(thrown instanceof CallFailed)) throw thrown;
      toast({ tone: 'error', title: t(`outbox.${texts}.failed`), text: faultText(t, thrown.fault) });
    }
  }

  function submit() {
    setSubmitted(true);
    if (!isReasonShort) void once(settle);
  }

  return (
    <Dialog
      open
      onClose={onClose}
      title={t(`outbox.${texts}.title`)}
      onSubmit={submit}
      actions={
        <>
          <Button onClick={onClose}>{t('outbox.settling.keep')}</Button>
          <Button type="submit" variant="primary" disabled={pending}>
            {t(`outbox.${texts}.confirm`)}
          </Button>
        </>
      }
    >
      <chakra.p fontWeight="medium">{sentence}</chakra.p>
      <chakra.p color="fg.muted">{t(`outbox.${texts}.text`)}</chakra.p>
      <TextField
        label={t('outbox.settling.reason')}
        hint={t('outbox.settling.reasonHint')}
        error={submitted && isReasonShort ? t('outbox.settling.reasonShort') : undefined}
        maxLength={textLimits.reason}
        autoComplete="off"
        value={reason}
        onChange={(event) => setReason(event.target.value)}
      />
    </Dialog>
  );
}
