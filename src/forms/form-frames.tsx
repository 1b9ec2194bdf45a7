/**
 * What a form whose draft is kept stands in. Cancel gives up what was typed; a dialog that is closed otherwise keeps it for
 * the next time.
 */
import { chakra, Flex } from '@chakra-ui/react';
import { useId } from 'react';
import type { BaseSyntheticEvent, ReactNode } from 'react';
import type { FieldValues, UseFormReturn } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { PageFrame } from '../back-office/page-frame.tsx';
import { RestoredNote } from './restored-note.tsx';
import type { RestoredForm } from './restored-note.tsx';

export interface FormFrameProps<Draft extends FieldValues> {
  form: Pick<UseFormReturn<Draft>, 'handleSubmit'> & RestoredForm & { forget: () => Promise<void> };
  title: string;
  isNew?: boolean;
  submitLabel: string;
  /** What the button says meanwhile, where it neither creates nor updates. */
  runningLabel?: string;
  /** @returns whether it is saved, and the form done with */
  save: (draft: Draft) => Promise<boolean>;
  onClose: () => void;
  children: ReactNode;
}

/** What every frame does: `attributes` and `actions` are for the form element and under it, `close` is for its dialog. */
export function useFormFrame<Draft extends FieldValues>({
  form,
  isNew = false,
  submitLabel,
  runningLabel,
  save,
  onClose,
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
      onSubmit: (event: BaseSyntheticEvent) => void form.handleSubmit(submit, () => focusFirstWrong(id))(event),
      display: 'flex',
      flexDirection: 'column',
    } as const,
    close: () => !isSubmitting && onClose(),
    actions: (
      <>
        <Button disabled={isSubmitting} onClick={() => void giveUp()}>
          {t('form.cancel')}
        </Button>
        <Button variant="primary" type="submit" form={id} disabled={isSubmitting}>
          {isSubmitting ? (runningLabel ?? t(isNew ? 'form.creating' : 'form.updating')) : submitLabel}
        </Button>
      </>
    ),
  };
}

/** Leads to the first field of a form that is wrong: also to one of its lines, which the form's rules judge together. */
function focusFirstWrong(formId: string): void {
  // Once what is wrong shows.
  requestAnimationFrame(() =>
    document.getElementById(formId)?.querySelector<HTMLElement>('[aria-invalid=true]')?.focus(),
  );
}

/** A short form, in a dialog. */
export function FormDialog<Draft extends FieldValues>({ width, ...frame }: FormFrameProps<Draft> & { width: string }) {
  const { attributes, actions, close } = useFormFrame(frame);
  return (
    <Dialog open width={width} title={frame.title} onClose={close} actions={actions}>
      <chakra.form {...attributes} gap="5">
        <RestoredNote form={frame.form} />
        {frame.children}
      </chakra.form>
    </Dialog>
  );
}

/** A form in the place of the list that it was opened from. */
export function FormPage<Draft extends FieldValues>({ lead, ...frame }: FormFrameProps<Draft> & { lead?: ReactNode }) {
  const { attributes, actions } = useFormFrame(frame);
  return (
    <PageFrame title={frame.title}>
      <chakra.form {...attributes} gap="5" width="full" maxWidth="40rem">
        {lead}
        <RestoredNote form={frame.form} />
        {frame.children}
        <Flex gap="2" justify="flex-end" wrap="wrap">
          {actions}
        </Flex>
      </chakra.form>
    </PageFrame>
  );
}
