import { chakra, Flex } from '@chakra-ui/react';
import { useEffect, useId, useRef } from 'react';
import type { ReactNode, SubmitEvent } from 'react';
import { Button } from './button.tsx';

interface DialogProps {
  open: boolean;
  onClose: () => void;
  title: string;
  children?: ReactNode;
  /** Buttons; the main one comes last. */
  actions?: ReactNode;
  width?: string;
  /** Makes the dialog a form, which one of the buttons submits. */
  onSubmit?: (() => void) | undefined;
}

/**
 * A modal dialog. It uses the browser's `<dialog>`, which traps and restores the focus, closes on Escape and stays on
 * top. The content is mounted only while the dialog is open.
 */
export function Dialog({ open, onClose, title, children, actions, width = '26rem', onSubmit }: DialogProps) {
  const element = useRef<HTMLDialogElement>(null);
  const titleId = useId();
  useEffect(() => {
    const dialog = element.current;
    if (!open || !dialog) return;
    dialog.showModal();
    return () => dialog.close();
  }, [open]);
  return (
    <chakra.dialog
      ref={element}
      aria-labelledby={titleId}
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
      onClick={(event) => {
        if (event.target === element.current) onClose();
      }}
      m="auto"
      width={`min(${width}, calc(100vw - 2rem))`}
      maxWidth="none"
      maxHeight="calc(100dvh - 2rem)"
      bg="bg.surface"
      color="fg"
      borderRadius="md"
      boxShadow="raised"
      overflow="auto"
      // It holds the focus only where no control takes it.
      outline="none"
      _backdrop={{ bg: 'backdrop' }}
      _open={{ animation: 'rise 160ms ease-out' }}
    >
      {open && (
        <Content onSubmit={onSubmit}>
          <chakra.h2 id={titleId} fontSize="lg" fontWeight="semibold" lineHeight="tight">
            {title}
          </chakra.h2>
          {children}
          {actions && (
            // On a phone the buttons share their rows, so that none is left in a ragged column.
            <Flex wrap="wrap" justify="flex-end" gap="2" mt="2" css={{ '& > *': { flexGrow: { base: 1, sm: 0 } } }}>
              {actions}
            </Flex>
          )}
        </Content>
      )}
    </chakra.dialog>
  );
}

function Content({ onSubmit, children }: Pick<DialogProps, 'onSubmit' | 'children'>) {
  const layout = { display: 'flex', flexDirection: 'column', gap: '4', p: '6' } as const;
  if (!onSubmit) return <chakra.div {...layout}>{children}</chakra.div>;
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    onSubmit();
  };
  return (
    <chakra.form noValidate onSubmit={submit} {...layout}>
      {children}
    </chakra.form>
  );
}

interface ConfirmDialogProps {
  open: boolean;
  title: string;
  text: string;
  confirmLabel: string;
  cancelLabel: string;
  danger?: boolean;
  onConfirm: () => void;
  onCancel: () => void;
}

export function ConfirmDialog({
  open,
  title,
  text,
  confirmLabel,
  cancelLabel,
  danger = false,
  ...on
}: ConfirmDialogProps) {
  return (
    <Dialog
      open={open}
      onClose={on.onCancel}
      title={title}
      actions={
        <>
          <Button onClick={on.onCancel}>{cancelLabel}</Button>
          <Button variant={danger ? 'danger' : 'primary'} onClick={on.onConfirm}>
            {confirmLabel}
          </Button>
        </>
      }
    >
      <chakra.p color="fg.muted">{text}</chakra.p>
    </Dialog>
  );
}
