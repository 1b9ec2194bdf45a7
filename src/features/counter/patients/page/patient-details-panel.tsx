import { chakra } from '@chakra-ui/react';
import { Pencil } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import type { ReactNode } from 'react';
import type { FullPatientResource } from '#domain/patient/resources.ts';
import type { Recipient } from '#domain/tax/document.ts';
import { currentLanguage } from '#src/i18n/i18n.ts';
import { intlTag } from '#src/ui/intl-tag.ts';
import { Panel } from '#src/ui/panel.tsx';
import { StyledButton } from '#src/ui/styled.tsx';

interface PatientDetailsPanelProps {
  patient: FullPatientResource;
  readsDetails: boolean;
  /** False while this device does not know whether there is more. */
  isComplete: boolean;
  onEdit: (() => void) | undefined;
}

/** How the patient is reached, who receives the invoices, and the note for the counter. */
export function PatientDetailsPanel({ patient, readsDetails, isComplete, onEdit }: PatientDetailsPanelProps) {
  const { t } = useTranslation();
  const { phone, email, notes, recipient } = patient;
  return (
    <Panel
      level={2}
      title={t('patients.page.details')}
      action={
        onEdit && (
          <StyledButton variant="quiet" px="2" fontSize="sm" onClick={onEdit}>
            <Pencil />
            {t('patients.correctShort')}
          </StyledButton>
        )
      }
    >
      <chakra.dl
        px="4"
        pb="4"
        display="grid"
        gap="3"
        gridTemplateColumns="repeat(auto-fill, minmax(min(14rem, 100%), 1fr))"
      >
        <Fact label={t('patients.phone')} isAlways>
          {phone && (
            <chakra.a href={`tel:${phone.replace(/[^\d+]/g, '')}`} color="accent.fg" textDecoration="underline">
              {phone}
            </chakra.a>
          )}
        </Fact>
        {readsDetails && (
          <>
            <Fact label={t('patients.page.email')}>
              {email && (
                <chakra.a href={`mailto:${encodeURIComponent(email)}`} color="accent.fg" textDecoration="underline">
                  {email}
                </chakra.a>
              )}
            </Fact>
            <RecipientFacts recipient={recipient} name={patient.name} />
            <Fact label={t('patients.page.notes')}>
              {notes && <chakra.span whiteSpace="pre-wrap">{notes}</chakra.span>}
            </Fact>
          </>
        )}
      </chakra.dl>
      {readsDetails && !isComplete && (
        <chakra.p px="4" pb="4" fontSize="sm" color="fg.muted">
          {t('patients.page.detailsAway')}
        </chakra.p>
      )}
    </Panel>
  );
}

function RecipientFacts({ recipient, name }: { recipient: Recipient | null; name: string }) {
  const { t } = useTranslation();
  const { id_type: type, tax_id: number = '', country } = recipient ?? {};
  const countryName = country ? new Intl.DisplayNames(intlTag(currentLanguage()), { type: 'region' }).of(country) : '';
  const lines = recipient
    ? [recipient.address, [recipient.postal_code, recipient.city].filter(Boolean).join(' '), countryName]
    : [];
  const address = lines.filter(Boolean);
  return (
    <>
      {recipient && recipient.name !== '' && recipient.name !== name && (
        <Fact label={t('patients.page.invoiceTo')}>{recipient.name}</Fact>
      )}
      <Fact label={type === undefined ? t('tax.recipient.tax_id') : t(`tax.recipient.idTypes.${type}`)}>{number}</Fact>
      <Fact label={t('tax.recipient.address')}>
        {address.map((line, at) => (
          <chakra.span key={at} display="block">
            {line}
          </chakra.span>
        ))}
      </Fact>
    </>
  );
}

/** @param isAlways true for what people look for: the rest is left out while nobody has entered it */
function Fact({ label, isAlways = false, children }: { label: string; isAlways?: boolean; children: ReactNode }) {
  const isEmpty = !children || (Array.isArray(children) && children.length === 0);
  if (isEmpty && !isAlways) return null;
  return (
    <div>
      <chakra.dt fontSize="sm" color="fg.muted">
        {label}
      </chakra.dt>
      <chakra.dd overflowWrap="anywhere">{isEmpty ? <Nothing /> : children}</chakra.dd>
    </div>
  );
}

const Nothing = () => <chakra.span color="fg.muted">–</chakra.span>;
