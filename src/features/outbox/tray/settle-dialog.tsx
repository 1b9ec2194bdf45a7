import { chakra } from '@chakra-ui/react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { isReasonTooShort } from '#domain/reason.ts';
import { callServer, faultText } from '#src/api/client.ts';
import { callEach } from '#src/lists/call-each.ts';
import { db } from '#src/local-data/database.ts';
import { textLimits } from '#domain/limits.ts';
import { Button } from '#src/ui/button.tsx';
import { Dialog } from '#src/ui/dialog.tsx';
import { TextField } from '#src/ui/text-field.tsx';
import { toast } from '#src/ui/toaster.tsx';
import { useOnce } from '#src/ui/use-once.ts';

interface SettleDialogProps {
  /** `approve` applies the work that the item is about. */
  action: 'settle' | 'approve';
  /** One, or many that the same reason settles, in the order in which they came. */
  ids: readonly number[];
  sentence: string;
  onClose: () => void;
}

/** Settles items with a reason. Both actions are idempotent, so a retry of what failed does no harm. */
export function SettleDialog({ action, ids, sentence, onClose }: SettleDialogProps) {
  const { t } = useTranslation();
  const [reason, setReason] = useState('');
  const [submitted, setSubmitted] = useState(false);
  const { pending, once } = useOnce();
  const isReasonShort = isReasonTooShort(reason);
  const isApproval = action === 'approve';
  const texts = `${isApproval ? 'approving' : 'settling'}${ids.length > 1 ? 'All' : ''}` as const;

  async function settle() {
    const { done, failed } = await callEach(
      ids,
      (id, headers) => callServer('post', `attention/${id}/${action}`, { reason }, headers),
      // A payment counts only after its treatment.
      isApproval ? { atOnce: 1 } : {},
    );
    // The feed removes the items from every device later; here they disappear at once.
    await db.attention.bulkDelete(done);
    const [first] = failed;
    if (first) toast({ tone: 'error', title: t(`outbox.${texts}.failed`), text: faultText(t, first.fault) });
    else {
      toast({ tone: 'success', title: t(`outbox.${texts}.done`, { count: done.length }) });
      onClose();
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
      title={t(`outbox.${texts}.title`, { count: ids.length })}
      onSubmit={submit}
      actions={
        <>
          <Button onClick={onClose}>{t('outbox.settling.keep')}</Button>
          <Button type="submit" variant="primary" disabled={pending}>
            {t(`outbox.${texts}.confirm`, { count: ids.length })}
          </Button>
        </>
      }
    >
      <chakra.p fontWeight="medium">{sentence}</chakra.p>
      <chakra.p color="fg.muted">{t(`outbox.${texts}.text`, { count: ids.length })}</chakra.p>
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
