import { chakra } from '@chakra-ui/react';
import { useLiveQuery } from 'dexie-react-hooks';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { recipientProblems, tidyRecipient } from '../../domain/order/recipient.ts';
import type { Recipient } from '../../domain/order/tax-document.ts';
import { isValid } from '../../domain/problems.ts';
import type { OrderRow } from '../db/database.ts';
import { knownRecipient } from '../db/queries/recipients.ts';
import { db } from '../local-data/database.ts';
import { Button } from '../ui/button.tsx';
import { ConfirmDialog, Dialog } from '../ui/dialog.tsx';
import { TextField } from '../ui/text-field.tsx';

export interface RecipientDialogProps {
  order: OrderRow;
  /** True when the amount asks for a full invoice. */
  isAboveLimit: boolean;
  /** True when the tax agency rejects a simplified one of this amount. */
  isAboveMost?: boolean | undefined;
  onConfirm: (recipient: Recipient) => void;
  /** Goes on with a simplified invoice; null where only a full one was asked for. */
  onWithout: (() => void) | null;
  onCancel: () => void;
}

const fields = ['name', 'tax_id', 'address', 'postal_code', 'city'] as const satisfies (keyof Recipient)[];

/** Asks for the recipient of a full invoice. What the device knows is filled in. */
export function RecipientDialog({ order, ...form }: RecipientDialogProps) {
  const known = useLiveQuery(() => knownRecipient(db, order), [order.id]);
  return known ? <RecipientForm known={known} {...form} /> : null;
}

function RecipientForm({
  known,
  isAboveLimit,
  isAboveMost = false,
  onConfirm,
  onWithout,
  onCancel,
}: Omit<RecipientDialogProps, 'order'> & { known: Recipient }) {
  const { t } = useTranslation();
  const [typed, setTyped] = useState(known);
  const [isSubmitted, setSubmitted] = useState(false);
  const [isAsking, setAsking] = useState(false);
  const problems = recipientProblems(tidyRecipient(typed));

  function submit() {
    setSubmitted(true);
    if (isValid(problems)) onConfirm(tidyRecipient(typed));
  }

  const errorOf = (field: keyof Recipient) => {
    const problem = isSubmitted && problems[field];
    return problem ? t(`problems.${problem}`) : undefined;
  };
  return (
    <>
      <Dialog
        open
        onClose={onCancel}
        title={t('tax.recipient.title')}
        width="30rem"
        onSubmit={submit}
        actions={
          <>
            <Button onClick={onCancel}>{t('tax.recipient.back')}</Button>
            {onWithout && (
              <Button onClick={isAboveMost ? () => setAsking(true) : onWithout}>{t('tax.recipient.without')}</Button>
            )}
            <Button type="submit" variant="primary">
              {t('tax.recipient.confirm')}
            </Button>
          </>
        }
      >
        {isAboveLimit && (
          <chakra.p color="fg.muted" fontSize="sm">
            {t(isAboveMost ? 'tax.recipient.aboveMost' : 'tax.recipient.aboveLimit')}
          </chakra.p>
        )}
        <chakra.div display="grid" gridTemplateColumns="1fr 1fr" gap="4">
          {fields.map((field) => (
            <chakra.div key={field} gridColumn={field === 'postal_code' || field === 'city' ? undefined : '1 / -1'}>
              <TextField
                label={t(`tax.recipient.${field}`)}
                autoComplete="off"
                inputMode={field === 'postal_code' ? 'numeric' : 'text'}
                value={typed[field]}
                error={errorOf(field)}
                onChange={(event) => setTyped({ ...typed, [field]: event.target.value })}
              />
            </chakra.div>
          ))}
        </chakra.div>
      </Dialog>
      {onWithout && (
        <ConfirmDialog
          open={isAsking}
          danger
          title={t('tax.recipient.most.title')}
          text={t('tax.recipient.most.text')}
          confirmLabel={t('tax.recipient.most.confirm')}
          cancelLabel={t('tax.recipient.back')}
          onCancel={() => setAsking(false)}
          onConfirm={onWithout}
        />
      )}
    </>
  );
}
