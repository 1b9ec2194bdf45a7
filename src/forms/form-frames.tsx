/** Frames of forms with stored drafts. Cancel deletes the draft; closing a dialog in another way keeps it. */
import { chakra, Flex } from '@chakra-ui/react';
import { useId } from 'react';
import type { BaseSyntheticEvent, ComponentProps, ReactNode } from 'react';
import type { FieldValues, UseFormReturn } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { focusFirstWrong } from '../ui/focus-first-wrong.ts';
import { FullDialog } from '../ui/full-dialog.tsx';
import { FormNotes, hasNotes } from './form-notes.tsx';
import type { NotedForm } from './form-notes.tsx';

export interface FormFrameProps<Draft extends FieldValues> {
  form: Pick<UseFormReturn<Draft>, 'handleSubmit'> & NotedForm<Draft> & { forget: () => Promise<void> };
  title: string;
  isNew?: boolean;
  submitLabel: string;
  /** Text of the submit button while saving; "creating" or "updating" if omitted. */
  runningLabel?: string;
  /** @returns true if the draft is saved; the form then closes */
  save: (draft: Draft) => Promise<boolean>;
  onClose: () => void;
  /** Why nothing can be saved any more: the record is decided, sent or gone. What was typed stays until somebody closes it. */
  over?: string | undefined;
  /** True for a moment after a form that decides has told a change: see `SeenRecord`. */
  isReading?: boolean;
  children: ReactNode;
}

/**
 * Shared behaviour of all frames: `attributes` for the form element, `actions` for its buttons, `close` for its dialog.
 */
export function useFormFrame<Draft extends FieldValues>({
  form,
  isNew = false,
  submitLabel,
  runningLabel,
  save,
  onClose,
  isReading = false,
  over,
}: FormFrameProps<Draft>) {
  const { t } = useTranslation();
  const id = useId();
  const { isSubmitting } = form.formState;
  async function giveUp() {
    await form.forget();
    onClose();
  }
  async function submit(draft: Draft) {
    if (await save(draft)) await giveUp();
  }
  return {
    attributes: {
      id,
      noValidate: true,
      onSubmit: (event: BaseSyntheticEvent) => {
        if (over !== undefined) return event.preventDefault();
        void form.handleSubmit(submit, () => focusFirstWrong(document.getElementById(id)))(event);
      },
      display: 'flex',
      flexDirection: 'column',
    } as const,
    close: () => !isSubmitting && (over === undefined ? onClose() : void giveUp()),
    actions:
      over !== undefined ? (
        <Button onClick={() => void giveUp()}>{t('form.close')}</Button>
      ) : (
        <>
          <Button disabled={isSubmitting} onClick={() => void giveUp()}>
            {t('form.cancel')}
          </Button>
          <Button variant="primary" type="submit" form={id} disabled={isSubmitting || isReading}>
            {isSubmitting ? (runningLabel ?? t(isNew ? 'form.creating' : 'form.updating')) : submitLabel}
          </Button>
        </>
      ),
  };
}

/** A form in a dialog. */
export function FormDialog<Draft extends FieldValues>({ width, ...frame }: FormFrameProps<Draft> & { width: string }) {
  const { attributes, actions, close } = useFormFrame(frame);
  return (
    <Dialog open width={width} title={frame.title} onClose={close} actions={actions}>
      <chakra.form {...attributes} gap="5">
        <FormNotes form={frame.form} over={frame.over} />
        {frame.children}
      </chakra.form>
    </Dialog>
  );
}

type FullScreenFormProps<Draft extends FieldValues> = FormFrameProps<Draft> &
  Pick<ComponentProps<typeof chakra.form>, 'maxWidth' | 'gap' | 'pt' | 'pb'> & {
    /** Shown above the fields. */
    lead?: ReactNode;
    /** Shown beside the buttons. */
    footer?: ReactNode;
  };

/** A form in a dialog that covers the page, with its buttons always in view. */
export function FullScreenForm<Draft extends FieldValues>({
  lead,
  footer,
  maxWidth = '64rem',
  gap,
  pt = '2',
  pb = '12',
  ...frame
}: FullScreenFormProps<Draft>) {
  const { t } = useTranslation();
  const { attributes, actions, close } = useFormFrame(frame);
  return (
    <FullDialog
      title={frame.title}
      closeLabel={t('form.close')}
      onClose={close}
      actions={
        <>
          {footer}
          {actions}
        </>
      }
    >
      <chakra.form {...attributes} maxWidth={maxWidth} gap={gap} mx="auto" px={{ base: '4', md: '8' }} pt={pt} pb={pb}>
        {(lead || frame.over !== undefined || hasNotes(frame.form)) && (
          <Flex direction="column" gap="5" pt="4">
            {lead}
            <FormNotes form={frame.form} over={frame.over} />
          </Flex>
        )}
        {frame.children}
      </chakra.form>
    </FullDialog>
  );
}
