import { chakra } from '@chakra-ui/react';
import { useTranslation } from 'react-i18next';
import { currencyLabel, formatMinor } from '#domain/money.ts';
import { unbroken } from '#src/formats/money.tsx';
import { Button } from '#src/ui/button.tsx';
import { Dialog } from '#src/ui/dialog.tsx';
import { KeyHint } from '../keyboard-shortcuts.tsx';
import type { ChangeDue } from '../plan-store.ts';

/** Shows the change for the customer until somebody confirms that it was given. */
export function ChangeDialog({ due, onDone }: { due: ChangeDue | null; onDone: () => void }) {
  const { t } = useTranslation();
  const format = (minor: number) => formatMinor(minor, currencyLabel(due?.currency ?? ''));
  return (
    <Dialog
      open={due !== null}
      onClose={onDone}
      title={t('counter.change.title')}
      width="30rem"
      actions={
        <Button variant="primary" size="lg" wide onClick={onDone}>
          {t('counter.change.done')}
          <KeyHint keys={['↵']} />
        </Button>
      }
    >
      {due && (
        <div>
          <chakra.p
            fontSize="clamp(2.5rem, 12vw, 4.5rem)"
            fontWeight="semibold"
            lineHeight="1.1"
            letterSpacing="tight"
            fontVariantNumeric="tabular-nums"
            whiteSpace="nowrap"
          >
            {format(due.changeMinor)}
          </chakra.p>
          <chakra.p mt="2" color="fg.muted" fontVariantNumeric="tabular-nums">
            {t('counter.change.text', {
              tendered: unbroken(format(due.tenderedMinor)),
              amount: unbroken(format(due.amountMinor)),
            })}
          </chakra.p>
        </div>
      )}
    </Dialog>
  );
}
