import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { isReasonTooShort } from '#domain/reason.ts';
import { textLimits } from '#domain/limits.ts';
import type { MoneyMove } from '#src/db/commands/drawers.ts';
import { amountMinor, proposeAmount } from '#src/tender/keypad.ts';
import { Button } from '#src/ui/button.tsx';
import { Dialog } from '#src/ui/dialog.tsx';
import { TextField } from '#src/ui/text-field.tsx';
import { AmountFieldWithKeypad } from '#src/drawer/amount-field.tsx';
import type { DrawerActions } from './use-drawer-actions.ts';

interface MovementDialogProps {
  drawerId: string;
  direction: MoneyMove['direction'];
  actions: DrawerActions;
  onClose: () => void;
}

export function MovementDialog({ drawerId, direction, actions, onClose }: MovementDialogProps) {
  const { t } = useTranslation();
  const [entry, setEntry] = useState(() => proposeAmount(0));
  const [reason, setReason] = useState('');
  const [submitted, setSubmitted] = useState(false);
  const minor = amountMinor(entry.text) ?? 0;
  const isReasonShort = isReasonTooShort(reason);
  const title = t(direction === 'in' ? 'drawer.move.inTitle' : 'drawer.move.outTitle');

  async function submit() {
    setSubmitted(true);
    if (minor > 0 && !isReasonShort && (await actions.move({ drawerId, direction, amountMinor: minor, reason })))
      onClose();
  }

  return (
    <Dialog
      open
      onClose={onClose}
      title={title}
      width="24rem"
      onSubmit={() => void submit()}
      actions={
        <>
          <Button onClick={onClose}>{t('drawer.move.cancel')}</Button>
          <Button type="submit" variant="primary" disabled={actions.pending}>
            {title}
          </Button>
        </>
      }
    >
      <AmountFieldWithKeypad
        label={t('drawer.move.amount')}
        entry={entry}
        onChange={setEntry}
        error={submitted && minor === 0 ? t('drawer.move.amountMissing') : undefined}
      />
      <TextField
        label={t('drawer.move.reason')}
        hint={t('drawer.move.reasonHint')}
        error={submitted && isReasonShort ? t('drawer.move.reasonShort') : undefined}
        maxLength={textLimits.reason}
        autoComplete="off"
        value={reason}
        onChange={(event) => setReason(event.target.value)}
      />
    </Dialog>
  );
}
