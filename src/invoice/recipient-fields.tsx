import { chakra } from '@chakra-ui/react';
import { useTranslation } from 'react-i18next';
import type { Problems } from '#domain/problems.ts';
import { countries, foreignIdTypes } from '#domain/tax/recipient-id.ts';
import type { ForeignIdType } from '#domain/tax/recipient-id.ts';
import type { Recipient } from '#domain/tax/document.ts';
import { currentLanguage } from '../i18n/i18n.ts';
import { intlTag } from '../ui/intl-tag.ts';
import { SelectField } from '../ui/select-field.tsx';
import { StyledButton } from '../ui/styled.tsx';
import { TextField } from '../ui/text-field.tsx';

const spanishFields = ['name', 'tax_id', 'address', 'postal_code', 'city'] as const;
/** The address of a foreigner is one line of any form. */
const foreignFields = ['name', 'tax_id', 'address'] as const;

interface RecipientFieldsProps {
  typed: Recipient;
  /** Those that are shown. */
  problems: Problems<keyof Recipient>;
  onChange: (typed: Recipient) => void;
  /** Called as well when the fields become others: with or without a NIF. */
  onKindChange?: () => void;
  /** Who receives the invoices while no other name is typed. */
  usualName?: string | undefined;
}

/** The fields of a recipient of invoices: with a NIF, or with another number. */
export function RecipientFields({ typed, problems, onChange, onKindChange, usualName }: RecipientFieldsProps) {
  const { t } = useTranslation();
  const isForeign = typed.id_type !== undefined;
  function change() {
    const { id_type: _type, country: _country, ...kept } = { ...typed, tax_id: '' };
    onChange(isForeign ? kept : { ...kept, postal_code: '', city: '', id_type: '03', country: '' });
    onKindChange?.();
  }
  const labelOf = (field: (typeof spanishFields)[number]) => {
    if (field === 'name' && usualName !== undefined) return t('patients.page.invoiceName');
    return t(isForeign && field === 'tax_id' ? 'tax.recipient.foreignId' : `tax.recipient.${field}`);
  };
  const errorOf = (field: keyof Recipient) => {
    const problem = problems[field];
    return problem ? t(`problems.${problem}`) : undefined;
  };
  return (
    <>
      <chakra.div display="grid" gridTemplateColumns="1fr 1fr" gap="4">
        {isForeign && <ForeignFields typed={typed} onChange={onChange} countryError={errorOf('country')} />}
        {(isForeign ? foreignFields : spanishFields).map((field) => (
          <chakra.div key={field} gridColumn={field === 'postal_code' || field === 'city' ? undefined : '1 / -1'}>
            <TextField
              label={labelOf(field)}
              autoComplete="off"
              placeholder={field === 'name' ? usualName : undefined}
              inputMode={field === 'postal_code' ? 'numeric' : 'text'}
              value={typed[field]}
              error={errorOf(field)}
              onChange={(event) => onChange({ ...typed, [field]: event.target.value })}
            />
          </chakra.div>
        ))}
      </chakra.div>
      <StyledButton justifySelf="start" alignSelf="start" onClick={change}>
        {t(isForeign ? 'tax.recipient.withNif' : 'tax.recipient.noNif')}
      </StyledButton>
    </>
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
