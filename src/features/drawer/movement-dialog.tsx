import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { isReasonTooShort } from '#domain/reason.ts';
import { textLimits } from '#domain/limits.ts';
import type { MoneyMove } from '#src/db/commands/drawers.ts';
import type { LocalDrawer } from '#src/db/queries/drawers.ts';
import { amountMinor, proposeAmount } from '#src/tender/keypad.ts';
import { Button } from '#src/ui/button.tsx';
import { Dialog } from '#src/ui/dialog.tsx';
import { TextField } from '#src/ui/text-field.tsx';
import { AmountField, AmountFieldWithKeypad } from '#src/drawer/amount-field.tsx';
import { ClosedBanner } from './overtaken.tsx';
import type { DrawerActions } from './use-drawer-actions.ts';

interface MovementDialogProps {
  drawer: LocalDrawer;
  direction: MoneyMove['direction'];
  actions: DrawerActions;
  onClose: () => void;
}

/** A movement of a drawer. Where somebody closes the drawer meanwhile, it says so and keeps what was typed in sight. */
export function MovementDialog({ drawer, direction, actions, onClose }: MovementDialogProps) {
  const { t } = useTranslation();
  const [entry, setEntry] = useState(() => proposeAmount(0));
  const [reason, setReason] = useState('');
  const [submitted, setSubmitted] = useState(false);
  const minor = amountMinor(entry.text) ?? 0;
  const isReasonShort = isReasonTooShort(reason);
  const isOver = drawer.close !== null;
  const title = t(direction === 'in' ? 'drawer.move.inTitle' : 'drawer.move.outTitle');

  async function submit() {
    setSubmitted(true);
    if (
      minor > 0 &&
      !isReasonShort &&
      (await actions.move({ drawerId: drawer.id, direction, amountMinor: minor, reason }))
    )
      onClose();
  }

  return (
    <Dialog
      open
      onClose={onClose}
      title={title}
      width="24rem"
      onSubmit={() => !isOver && void submit()}
      actions={
        <>
          <Button onClick={onClose}>{t(isOver ? 'drawer.overtaken.dismiss' : 'drawer.move.cancel')}</Button>
          {!isOver && (
            <Button type="submit" variant="primary" disabled={actions.pending}>
              {title}
            </Button>
          )}
        </>
      }
    >
      <ClosedBanner drawer={drawer} text={t('drawer.overtaken.move')} />
      {isOver ? (
        <AmountField label={t('drawer.move.amount')} entry={entry} onChange={setEntry} readOnly />
      ) : (
        <AmountFieldWithKeypad
          label={t('drawer.move.amount')}
          entry={entry}
          onChange={setEntry}
          error={submitted && minor === 0 ? t('drawer.move.amountMissing') : undefined}
        />
      )}
      <TextField
        label={t('drawer.move.reason')}
        hint={t('drawer.move.reasonHint')}
        error={submitted && isReasonShort ? t('drawer.move.reasonShort') : undefined}
        maxLength={textLimits.reason}
        autoComplete="off"
        readOnly={isOver}
        value={reason}
        onChange={(event) => setReason(event.target.value)}
      />
    </Dialog>
  );
}
