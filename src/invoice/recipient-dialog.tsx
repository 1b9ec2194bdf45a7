import { chakra } from '@chakra-ui/react';
import { useLiveQuery } from '../local-data/live.ts';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { countries, foreignIdTypes } from '#domain/tax/recipient-id.ts';
import type { ForeignIdType } from '#domain/tax/recipient-id.ts';
import { recipientProblems, tidyRecipient } from '#domain/order/recipient.ts';
import type { Recipient } from '#domain/tax/document.ts';
import { isValid } from '#domain/problems.ts';
import type { OrderRow } from '../db/database.ts';
import { knownRecipient } from '../db/queries/recipients.ts';
import { currentLanguage } from '../i18n/i18n.ts';
import { db } from '../local-data/database.ts';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { intlTag } from '../ui/intl-tag.ts';
import { SelectField } from '../ui/select-field.tsx';
import { StyledButton } from '../ui/styled.tsx';
import { TextField } from '../ui/text-field.tsx';

export interface RecipientDialogProps {
  order: OrderRow;
  /** True when the amount asks for a full invoice. */
  isAboveLimit: boolean;
  onConfirm: (recipient: Recipient) => void;
  /** Takes the money, and leaves the invoice for later; null where no money is taken. */
  onLater: (() => void) | null;
  onCancel: () => void;
}

const spanishFields = ['name', 'tax_id', 'address', 'postal_code', 'city'] as const;
/** The address of a foreigner is one line of any form. */
const foreignFields = ['name', 'tax_id', 'address'] as const;

/** Asks for the recipient of a full invoice. What the device knows is filled in. */
export function RecipientDialog({ order, ...form }: RecipientDialogProps) {
  const known = useLiveQuery(() => knownRecipient(db, order), [order.id]);
  return known ? <RecipientForm known={known} {...form} /> : null;
}

type RecipientFormProps = Pick<RecipientDialogProps, 'onConfirm' | 'onCancel'> & {
  known: Recipient;
  isAboveLimit?: boolean;
  onLater?: RecipientDialogProps['onLater'];
  /** In the place of those for an invoice. */
  words?: { title: string; confirm: string };
};

/** @param props.known what is filled in */
export function RecipientForm({
  known,
  isAboveLimit = false,
  onConfirm,
  onLater = null,
  onCancel,
  words,
}: RecipientFormProps) {
  const { t } = useTranslation();
  const [typed, setTyped] = useState(known);
  const [isSubmitted, setSubmitted] = useState(false);
  const problems = recipientProblems(tidyRecipient(typed));
  const isForeign = typed.id_type !== undefined;

  function change() {
    const { id_type: _type, country: _country, ...kept } = { ...typed, tax_id: '' };
    setTyped(isForeign ? kept : { ...kept, postal_code: '', city: '', id_type: '03', country: '' });
    setSubmitted(false);
  }

  function submit() {
    setSubmitted(true);
    if (isValid(problems)) onConfirm(tidyRecipient(typed));
  }

  const errorOf = (field: keyof Recipient) => {
    const problem = isSubmitted && problems[field];
    return problem ? t(`problems.${problem}`) : undefined;
  };
  return (
    <Dialog
      open
      onClose={onCancel}
      title={words?.title ?? t('tax.recipient.title')}
      width="30rem"
      onSubmit={submit}
      actions={
        <>
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
      <chakra.div display="grid" gridTemplateColumns="1fr 1fr" gap="4">
        {isForeign && <ForeignFields typed={typed} onChange={setTyped} countryError={errorOf('country')} />}
        {(isForeign ? foreignFields : spanishFields).map((field) => (
          <chakra.div key={field} gridColumn={field === 'postal_code' || field === 'city' ? undefined : '1 / -1'}>
            <TextField
              label={t(isForeign && field === 'tax_id' ? 'tax.recipient.foreignId' : `tax.recipient.${field}`)}
              autoComplete="off"
              inputMode={field === 'postal_code' ? 'numeric' : 'text'}
              value={typed[field]}
              error={errorOf(field)}
              onChange={(event) => setTyped({ ...typed, [field]: event.target.value })}
            />
          </chakra.div>
        ))}
      </chakra.div>
      <StyledButton justifySelf="start" onClick={change}>
        {t(isForeign ? 'tax.recipient.withNif' : 'tax.recipient.noNif')}
      </StyledButton>
    </Dialog>
  );
}

interface ForeignFieldsProps {
  typed: Recipient;
  onChange: (typed: Recipient) => void;
  countryError: string | undefined;
}

/** The kind of document of a recipient without a NIF, and its country. */
function ForeignFields({ typed, onChange, countryError }: ForeignFieldsProps) {
  const { t } = useTranslation();
  const names = new Intl.DisplayNames(intlTag(currentLanguage()), { type: 'region' });
  const listed = countries
    .map((value) => ({ value, label: names.of(value) ?? value }))
    .toSorted((a, b) => a.label.localeCompare(b.label));
  return (
    <>
      <SelectField
        label={t('tax.recipient.idType')}
        options={foreignIdTypes.map((value) => ({ value, label: t(`tax.recipient.idTypes.${value}`) }))}
        value={typed.id_type}
        onChange={(event) => onChange({ ...typed, id_type: event.target.value as ForeignIdType })}
      />
      <SelectField
        label={t('tax.recipient.country')}
        options={[{ value: '', label: '' }, ...listed]}
        value={typed.country}
        error={countryError}
        onChange={(event) => onChange({ ...typed, country: event.target.value })}
      />
    </>
  );
}
