import { chakra } from '@chakra-ui/react';
import { useLiveQuery } from '../local-data/live.ts';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { recipientProblems, tidyRecipient } from '#domain/tax/recipient.ts';
import type { Recipient } from '#domain/tax/document.ts';
import { isValid } from '#domain/problems.ts';
import type { OrderRow } from '../db/database.ts';
import { knownRecipient } from '../db/queries/recipients.ts';
import { db } from '../local-data/database.ts';
import { useDraftForm } from '../forms/draft-form.ts';
import { FormNotes } from '../forms/form-notes.tsx';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { StyledButton } from '../ui/styled.tsx';
import { RecipientFields } from './recipient-fields.tsx';

export interface RecipientDialogProps {
  order: OrderRow;
  /** Who was given for this invoice already. */
  given?: Recipient | undefined;
  /** Gives up a recipient who was given; null where none was, or where the law asks for one. */
  onDrop?: (() => void) | null;
  /** True when the amount asks for a full invoice. */
  isAboveLimit: boolean;
  onConfirm: (recipient: Recipient) => void;
  /** Takes the money, and leaves the invoice for later; null where no money is taken. */
  onLater: (() => void) | null;
  onCancel: () => void;
}

/** Asks for the recipient of a full invoice. What the device knows is filled in. */
export function RecipientDialog({ order, given, ...form }: RecipientDialogProps) {
  const known = useLiveQuery(() => given ?? knownRecipient(db, order), [order.id, given]);
  return known ? <RecipientForm known={known} draft={recipientDraft(order.id)} {...form} /> : null;
}

/** Names the draft of a recipient. @param of the treatment that is invoiced */
export const recipientDraft = (of: string): string => `recipient:${of}`;

type RecipientFormProps = Pick<RecipientDialogProps, 'onConfirm' | 'onCancel'> & {
  known: Recipient;
  /** The name of the draft. */
  draft: string;
  isAboveLimit?: boolean;
  onLater?: RecipientDialogProps['onLater'];
  onDrop?: RecipientDialogProps['onDrop'];
  /** In the place of those for an invoice. */
  words?: { title: string; confirm: string };
};

/** @param props.known what is filled in */
export function RecipientForm({
  known,
  draft,
  isAboveLimit = false,
  onConfirm,
  onLater = null,
  onDrop = null,
  onCancel,
  words,
}: RecipientFormProps) {
  const { t } = useTranslation();
  // One field, because the recipient's own ones depend on each other.
  const form = useDraftForm({ name: draft, initial: { recipient: known }, problemsOf: () => ({}), endsWithForm: true });
  const typed = form.watch('recipient');
  const [isSubmitted, setSubmitted] = useState(false);
  const problems = recipientProblems(tidyRecipient(typed));

  function submit() {
    setSubmitted(true);
    if (isValid(problems)) onConfirm(tidyRecipient(typed));
  }

  return (
    <Dialog
      open
      onClose={onCancel}
      title={words?.title ?? t('tax.recipient.title')}
      // Its three buttons fit in one row.
      width="36rem"
      onSubmit={submit}
      actions={
        <>
          {onDrop && (
            <StyledButton variant="quiet" me="auto" onClick={onDrop}>
              {t('tax.recipient.drop')}
            </StyledButton>
          )}
          <Button onClick={onCancel}>{t('tax.recipient.back')}</Button>
          {onLater && <Button onClick={onLater}>{t('tax.recipient.later')}</Button>}
          <Button type="submit" variant="primary">
            {words?.confirm ?? t('tax.recipient.confirm')}
          </Button>
        </>
      }
    >
      {isAboveLimit && (
        <chakra.p color="fg.muted" fontSize="sm">
          {t('tax.recipient.aboveLimit')} {onLater && t('tax.recipient.laterText')}
        </chakra.p>
      )}
      <FormNotes form={form} />
      <RecipientFields
        typed={typed}
        problems={isSubmitted ? problems : {}}
        onChange={(next) => form.setValue('recipient', next, { shouldDirty: true })}
        onKindChange={() => setSubmitted(false)}
      />
    </Dialog>
  );
}
