import { chakra, Flex } from '@chakra-ui/react';
import { useId, useLayoutEffect, useRef, useState } from 'react';
import type { ReactNode, RefObject, SubmitEvent } from 'react';
import { Button } from './button.tsx';
import { focusFirstWrong } from './focus-first-wrong.ts';
import { useModal } from './use-modal.ts';

interface DialogProps {
  open: boolean;
  onClose: () => void;
  title: string;
  children?: ReactNode;
  /** Buttons, always visible; the main one comes last. */
  actions?: ReactNode;
  /** Stands above the buttons, such as what they will do. */
  note?: ReactNode;
  width?: string;
  /** Makes the dialog a form, which one of the buttons submits. */
  onSubmit?: (() => void) | undefined;
  /** Hides the dialog, with all that was entered, while another one takes its place. */
  isBehind?: boolean;
  /** While true, the buttons keep their place in the window: what comes above them makes the dialog grow upwards. */
  keepsFoot?: boolean;
}

/**
 * A modal dialog. Title and buttons stay in the window, whatever its height, and the content between them scrolls. It uses the
 * browser's `<dialog>`, which traps and restores the focus, closes on Escape and stays on top. The content is mounted only
 * while the dialog is open. A tap beside it closes it, unless it is a form in which somebody has begun: what was typed is not
 * lost by a slip.
 */
export function Dialog({
  open,
  onClose,
  title,
  width = '26rem',
  isBehind = false,
  keepsFoot = false,
  ...content
}: DialogProps) {
  const element = useRef<HTMLDialogElement>(null);
  const titleId = useId();
  const isShown = open && !isBehind;
  const [isBegun, setBegun] = useState(false);
  if (isBegun && !open) setBegun(false);
  const begin = () => content.onSubmit && setBegun(true);
  useModal(element, isShown);
  useFoot(element, isShown && keepsFoot);
  return (
    <chakra.dialog
      ref={element}
      aria-labelledby={titleId}
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
      onClick={(event) => {
        if (event.target !== element.current) begin();
        else if (!isBegun) onClose();
      }}
      onInput={begin}
      // The middle of what the keyboard leaves.
      top="var(--visible-top)"
      bottom="calc(100% - var(--visible-top) - var(--visible-height))"
      m="auto"
      width={`min(${width}, calc(100vw - 2rem))`}
      maxWidth="none"
      maxHeight="calc(var(--visible-height) - 2rem)"
      css={isLow({ maxHeight: 'calc(var(--visible-height) - 1rem)' })}
      bg="bg.surface"
      color="fg"
      borderRadius="md"
      boxShadow="raised"
      overflow="hidden"
      // It holds the focus only where no control takes it.
      outline="none"
      _backdrop={{ bg: 'backdrop' }}
      _open={{ display: 'flex', animation: 'rise 160ms ease-out' }}
    >
      {open && <Content titleId={titleId} title={title} {...content} />}
    </chakra.dialog>
  );
}

/**
 * Keeps the lower edge of a dialog where it was, while `isKept`. By the element's own style: nothing else is drawn anew. One that
 * opens so has been nowhere yet, and stands as any other.
 */
function useFoot(element: RefObject<HTMLDialogElement | null>, isKept: boolean): void {
  const last = useRef(0);
  useLayoutEffect(() => {
    const dialog = element.current;
    if (!dialog) return;
    if (isKept) {
      if (last.current > 0 && dialog.style.marginBottom === '') Object.assign(dialog.style, keptAt(last.current));
      return;
    }
    Object.assign(dialog.style, { marginBottom: '', maxHeight: '' });
    last.current = dialog.getBoundingClientRect().bottom;
  });
}

/** The styles of a dialog that ends there, in pixels of the window. */
const keptAt = (foot: number) => ({
  marginBottom: `max(0px, calc(var(--visible-top) + var(--visible-height) - ${foot}px))`,
  maxHeight: `calc(${foot}px - var(--visible-top) - 0.5rem)`,
});

/** On a phone the buttons share their rows, so that none is left in a ragged column. */
const buttonRow = { '& > *': { flexGrow: { base: 1, sm: 0 } } };

function Content({
  titleId,
  title,
  children,
  note,
  actions,
  onSubmit,
}: Pick<DialogProps, 'title' | 'children' | 'note' | 'actions' | 'onSubmit'> & { titleId: string }) {
  const content = (
    <>
      <chakra.h2
        id={titleId}
        px="6"
        pt="5"
        pb="3"
        fontSize="lg"
        fontWeight="semibold"
        lineHeight="tight"
        overflowWrap="anywhere"
        css={isLow({ paddingBlock: '{spacing.3} {spacing.1}' })}
      >
        {title}
      </chakra.h2>
      <Body hasFoot={actions !== undefined}>{children}</Body>
      {actions && (
        <Flex
          direction="column"
          flexShrink={0}
          gap="2"
          px="6"
          py="4"
          borderTopWidth="1px"
          borderColor="border"
          // In a low window the note stands beside the buttons, so that the content keeps its room.
          css={isLow({
            paddingBlock: '{spacing.2}',
            '@media (width >= 34rem)': {
              flexDirection: 'row',
              alignItems: 'center',
              '& > p': { fontSize: '{fontSizes.sm}', lineHeight: '1.35' },
              '& > :last-child': { flexShrink: 0, marginInlineStart: 'auto' },
            },
          })}
        >
          {note}
          <Flex wrap="wrap" justify="flex-end" gap="2" css={buttonRow}>
            {actions}
          </Flex>
        </Flex>
      )}
    </>
  );
  const layout = { display: 'flex', flexDirection: 'column', flex: '1', minWidth: '0' } as const;
  if (!onSubmit) return <chakra.div {...layout}>{content}</chakra.div>;
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    onSubmit();
    focusFirstWrong(event.currentTarget);
  };
  return (
    <chakra.form noValidate onSubmit={submit} {...layout}>
      {content}
    </chakra.form>
  );
}

/** Styles of a low window, and of what a keyboard leaves of another one. */
const isLow = (style: object) => ({ '@media (height < 30rem)': style, ':root[data-keyboard=short] &': style });

/** The part of a dialog that scrolls. */
function Body({ hasFoot, children }: { hasFoot: boolean; children: ReactNode }) {
  return (
    <chakra.div
      display="flex"
      flexDirection="column"
      gap="4"
      // Room for the focus rings of fields at the edge.
      pt="1"
      px="6"
      pb={hasFoot ? '4' : '6'}
      minHeight="0"
      overflowY="auto"
      overscrollBehavior="contain"
    >
      {children}
    </chakra.div>
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
      // Both buttons fit in one row in every language.
      width="30rem"
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
