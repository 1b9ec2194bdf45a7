import { chakra, Flex } from '@chakra-ui/react';
import { UserPlus } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Recipient } from '#domain/tax/document.ts';
import { blankRecipient } from '#domain/tax/recipient.ts';
import { RecipientForm, recipientDraft } from '#src/invoice/recipient-dialog.tsx';
import { usePayers } from '#src/server-data/collective.ts';
import { Button } from '#src/ui/button.tsx';
import { SelectField } from '#src/ui/select-field.tsx';

interface PayerFieldProps {
  payer: Recipient | null;
  error: string | undefined;
  onChange: (payer: Recipient | null) => void;
}

/** Chooses a payer of earlier invoices, or asks for a new one. */
export function PayerField({ payer, error, onChange }: PayerFieldProps) {
  const { t } = useTranslation();
  const known = usePayers().value?.data ?? [];
  const [isAsking, setAsking] = useState(false);
  const listed = payer && !known.some(({ tax_id }) => tax_id === payer.tax_id) ? [payer, ...known] : known;
  return (
    <Flex gap="3" align="flex-start" wrap="wrap">
      <chakra.div flex="1 1 16rem" minWidth="0">
        <SelectField
          label={t('reports.collective.payer')}
          error={error}
          options={[
            { value: '', label: t('reports.collective.choosePayer') },
            ...listed.map(({ name, tax_id }) => ({ value: tax_id, label: `${name} · ${tax_id}` })),
          ]}
          value={payer?.tax_id ?? ''}
          onChange={({ target }) => onChange(listed.find(({ tax_id }) => tax_id === target.value) ?? null)}
        />
      </chakra.div>
      {/* Beside the field, below its label. */}
      <chakra.div pt={{ base: '0', sm: '7' }}>
        <Button onClick={() => setAsking(true)}>
          <UserPlus />
          {t(payer ? 'reports.collective.editPayer' : 'reports.collective.newPayer')}
        </Button>
      </chakra.div>
      {isAsking && (
        <RecipientForm
          known={payer ?? blankRecipient}
          draft={recipientDraft('payer')}
          words={{ title: t('reports.collective.payer'), confirm: t('reports.collective.usePayer') }}
          onConfirm={(typed) => {
            onChange(typed);
            setAsking(false);
          }}
          onCancel={() => setAsking(false)}
        />
      )}
    </Flex>
  );
}
