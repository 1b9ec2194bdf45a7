import { chakra } from '@chakra-ui/react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { attentionSeen } from '#domain/protocol/seen.ts';
import type { AttentionResource } from '#domain/protocol/sync.ts';
import { isReasonTooShort } from '#domain/reason.ts';
import { seenOf } from '#domain/seen.ts';
import type { Seen } from '#domain/seen.ts';
import type { CallFault } from '#src/api/client.ts';
import { callServer, faultText } from '#src/api/client.ts';
import { ChangeList } from '#src/decisions/change-list.tsx';
import { changesOf } from '#src/decisions/changes.ts';
import type { FieldChange } from '#src/decisions/changes.ts';
import { DecisionDialog } from '#src/decisions/decision-dialog.tsx';
import { useSeen } from '#src/decisions/use-seen.ts';
import { callEach } from '#src/lists/call-each.ts';
import { db } from '#src/local-data/database.ts';
import { textLimits } from '#domain/limits.ts';
import { TextField } from '#src/ui/text-field.tsx';
import { toast } from '#src/ui/toaster.tsx';
import { useOnce } from '#src/ui/use-once.ts';
import { useAttentionWords } from './attention-words.ts';

interface SettleDialogProps {
  /** `approve` applies the work that the item is about. */
  action: 'settle' | 'approve';
  /** One, or many that the same reason settles, in the order in which they came. */
  items: readonly AttentionResource[];
  sentence: string;
  onClose: () => void;
}

interface ChangedItem {
  item: AttentionResource;
  changes: FieldChange[];
}

/**
 * Settles items with a reason. Both actions are idempotent, so a retry of what failed does no harm. Of items that have changed
 * since they were shown it says how, and asks about these again.
 */
export function SettleDialog({ action, items: opened, sentence, onClose }: SettleDialogProps) {
  const { t } = useTranslation();
  const words = useAttentionWords();
  const [items, setItems] = useState(opened);
  const [changed, setChanged] = useState<readonly ChangedItem[]>([]);
  const [reason, setReason] = useState('');
  const [submitted, setSubmitted] = useState(false);
  const { pending, once } = useOnce();
  // Of what has changed the list below says more; this one tells when, so that nobody decides before they have read it.
  const sight = useSeen({}, {});
  const isReasonShort = isReasonTooShort(reason);
  const isApproval = action === 'approve';
  const count = items.length;
  const texts = `${isApproval ? 'approving' : 'settling'}${count > 1 ? 'All' : ''}` as const;
  const sightOf = (item: AttentionResource): Seen => seenOf(item, attentionSeen);

  /** Shows what has changed. What somebody else has settled meanwhile needs nobody. */
  function askAgain(failed: readonly { row: AttentionResource; fault: CallFault }[]) {
    const told = failed.filter(({ fault }) => sight.take(fault));
    setItems(failed.map(({ row, fault }) => ({ ...row, ...(fault.code === 'CHANGED_MEANWHILE' && fault.details) })));
    setChanged(
      told.map(({ row, fault: { details = {} } }) => ({ item: row, changes: changesOf(words, sightOf(row), details) })),
    );
  }

  async function settle() {
    const { done, failed } = await callEach(
      items,
      (item, headers) => callServer('post', `attention/${item.id}/${action}`, { reason, seen: sightOf(item) }, headers),
      // A payment counts only after its treatment.
      isApproval ? { atOnce: 1 } : {},
    );
    // The feed removes the items from every device later; here they disappear at once.
    await db.attention.bulkDelete(done.map(({ id }) => id));
    const [first] = failed;
    if (!first) {
      toast({ tone: 'success', title: t(`outbox.${texts}.done`, { count: done.length }) });
      onClose();
      return;
    }
    askAgain(failed);
    const other = failed.find(({ fault }) => fault.code !== 'CHANGED_MEANWHILE');
    if (other) toast({ tone: 'error', title: t(`outbox.${texts}.failed`), text: faultText(t, other.fault) });
  }

  function submit() {
    setSubmitted(true);
    if (!isReasonShort) void once(settle);
  }

  const [only] = changed;
  return (
    <DecisionDialog
      decision={{
        changes: only ? (changed.length === 1 ? only.changes : []) : null,
        isReading: sight.isReading,
        isRunning: pending,
      }}
      title={t(`outbox.${texts}.title`, { count })}
      width="26rem"
      confirmLabel={t(`outbox.${texts}.confirm`, { count })}
      cancelLabel={t('outbox.settling.keep')}
      isPossible={items.some(({ settled_at }) => settled_at === null)}
      onClose={onClose}
      onConfirm={submit}
    >
      {changed.length > 1 && (
        <chakra.ul listStyleType="none" display="flex" flexDirection="column" gap="2" fontSize="sm">
          {changed.map(({ item, changes }) => (
            <li key={item.id}>
              <chakra.p fontWeight="medium">{String(item.details['number'] ?? item.id)}</chakra.p>
              <ChangeList changes={changes} />
            </li>
          ))}
        </chakra.ul>
      )}
      <chakra.p fontWeight="medium">{sentence}</chakra.p>
      <chakra.p color="fg.muted">{t(`outbox.${texts}.text`, { count })}</chakra.p>
      <TextField
        label={t('outbox.settling.reason')}
        hint={t('outbox.settling.reasonHint')}
        error={submitted && isReasonShort ? t('outbox.settling.reasonShort') : undefined}
        maxLength={textLimits.reason}
        autoComplete="off"
        value={reason}
        onChange={(event) => setReason(event.target.value)}
      />
    </DecisionDialog>
  );
}
