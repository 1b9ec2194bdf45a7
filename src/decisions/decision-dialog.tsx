import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { ChangedBanner } from './change-list.tsx';
import type { Decision } from './use-decision.ts';

interface DecisionDialogProps {
  decision: Pick<Decision<object, never>, 'changes' | 'isReading' | 'isRunning'>;
  open?: boolean;
  title: string;
  width?: string;
  confirmLabel: string;
  cancelLabel?: string;
  danger?: boolean;
  /** False where nothing is left to decide. */
  isPossible?: boolean;
  /** False until what the decision needs was given. */
  isReady?: boolean;
  /** Decides. The dialog closes by itself once it is done. */
  onConfirm: () => void;
  onClose: () => void;
  children?: ReactNode;
}

/**
 * Asks for a decision, and stays open until it is made. Where the record has changed, it says so above what it shows, keeps what
 * was typed and its buttons' place, and asks for another tap. What a tap or a key was meant for before neither decides nor closes
 * it: for a moment no button takes the focus.
 */
export function DecisionDialog({
  decision: { changes, isReading, isRunning },
  open = true,
  confirmLabel,
  cancelLabel,
  danger = false,
  isPossible = true,
  isReady = true,
  onConfirm,
  onClose,
  children,
  width = '30rem',
  title,
}: DecisionDialogProps) {
  const { t } = useTranslation();
  const isOver = changes !== null && !isPossible;
  const close = () => !isReading && onClose();
  return (
    <Dialog
      open={open}
      onClose={close}
      title={title}
      // Both buttons fit in one row in every language.
      width={width}
      keepsFoot={changes !== null}
      onSubmit={onConfirm}
      actions={
        <>
          <Button disabled={isReading} onClick={onClose}>
            {isOver ? t('form.close') : (cancelLabel ?? t('form.cancel'))}
          </Button>
          {!isOver && (
            <Button
              type="submit"
              variant={danger ? 'danger' : 'primary'}
              disabled={isRunning || isReading || !isPossible || !isReady}
            >
              {confirmLabel}
            </Button>
          )}
        </>
      }
    >
      {changes && <ChangedBanner changes={changes} isPossible={isPossible} />}
      {children}
    </Dialog>
  );
}
