import { chakra, Flex } from '@chakra-ui/react';
import { useLiveQuery } from '#src/local-data/live.ts';
import { ChevronDown, History as HistoryIcon, IdCard, Pencil } from 'lucide-react';
import { Suspense, useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router-dom';
import { minorFromWire } from '#domain/money.ts';
import type { PatientResource } from '#domain/patient/resources.ts';
import { useClinicFormats, useMoment } from '#src/formats/use-formats.ts';
import type { LocalTreatment } from '#src/db/queries/patients.ts';
import { MoneyText } from '#src/formats/money.tsx';
import { db } from '#src/local-data/database.ts';
import { pathOf } from '#src/navigation/path-of.ts';
import { useMay, useSession } from '#src/session/session.ts';
import { SentBadge } from '#src/sync/sent-badge.tsx';
import { Badge } from '#src/ui/badge.tsx';
import { Button } from '#src/ui/button.tsx';
import { EmptyState } from '#src/ui/empty-state.tsx';
import { loadLater } from '#src/ui/load-later.tsx';
import { Skeleton } from '#src/ui/skeleton.tsx';
import { StyledButton } from '#src/ui/styled.tsx';
import { PatientDataMenu } from './patient-data-menu.tsx';
import { usePatientHistory } from './use-patient-history.ts';
import type { PatientHistory as History } from './use-patient-history.ts';

const TreatmentDetails = loadLater(async () => (await import('../sales/treatment-details.tsx')).TreatmentDetails);

const tones = { confirmed: 'due', completed: 'paid', cancelled: 'neutral' } as const;

interface PatientHistoryProps {
  patient: PatientResource;
  onEdit?: () => void;
  /** Called when another screen is to show: the payment of an open treatment. */
  onClose: () => void;
}

export function PatientHistory({ patient, onEdit, onClose }: PatientHistoryProps) {
  const { t } = useTranslation();
  const history = usePatientHistory(patient.id);
  const isErased =
    useLiveQuery(async () => (await db.patients.get(patient.id))?.erased_at !== undefined, [patient.id]) ?? false;
  const mayExport = useMay('patient.export');
  return (
    <chakra.div flex="1" minHeight="0" overflowY="auto" overscrollBehavior="contain" css={{ scrollbarWidth: 'thin' }}>
      <Flex
        align="center"
        justify="space-between"
        gap="3"
        ps="4"
        pe="2"
        minHeight="12"
        borderBottomWidth="1px"
        borderColor="border"
      >
        <chakra.span color="fg.muted" fontVariantNumeric="tabular-nums">
          {isErased ? t('patients.erased') : patient.phone || t('patients.noPhone')}
        </chakra.span>
        <Flex gap="2">
          <PageLink patientId={patient.id} onClose={onClose} />
          {onEdit && !isErased && (
            <StyledButton variant="quiet" px="2" fontSize="sm" onClick={onEdit}>
              <Pencil />
              {t('patients.correctShort')}
            </StyledButton>
          )}
          {mayExport && <PatientDataMenu patient={patient} isErased={isErased} />}
        </Flex>
      </Flex>
      <TreatmentList history={history} onPay={onClose} />
    </chakra.div>
  );
}

/** Leads to the patient's page. */
function PageLink({ patientId, onClose }: { patientId: string; onClose: () => void }) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const role = useSession(({ user }) => user?.role ?? 'counter');
  return (
    <StyledButton
      variant="quiet"
      px="2"
      fontSize="sm"
      onClick={() => {
        onClose();
        void navigate(`${pathOf(role, 'patients')}?patient=${patientId}`);
      }}
    >
      <IdCard />
      {t('patients.page.link')}
    </StyledButton>
  );
}

/** The treatments of a patient, each with its services and documents, and what they are read from. */
export function TreatmentList({ history, onPay }: { history: History; onPay: () => void }) {
  const { t } = useTranslation();
  const { treatments, remaining, source, isLoading, loadMore } = history;
  return (
    <>
      <HistorySource history={history} />
      {!treatments && <LoadingRows />}
      {treatments?.length === 0 && source !== 'loading' && (
        <EmptyState icon={<HistoryIcon />} title={t('patients.none')} text={t('patients.noneText')} />
      )}
      {treatments && treatments.length > 0 && (
        <chakra.ul aria-label={t('patients.treatments')} listStyleType="none" px="4">
          {treatments.map((treatment) => (
            <Treatment key={treatment.id} treatment={treatment} onPay={onPay} />
          ))}
        </chakra.ul>
      )}
      {remaining > 0 && source === 'server' && (
        <chakra.div p="4">
          <Button wide disabled={isLoading} onClick={loadMore}>
            {t('patients.older', { count: remaining })}
          </Button>
        </chakra.div>
      )}
    </>
  );
}

function HistorySource({ history: { source, atMs, remaining, loadMore } }: { history: History }) {
  const { t } = useTranslation();
  const moment = useMoment();
  const time = atMs === null ? '' : moment(atMs);
  const sentence = {
    loading: t('patients.asking'),
    unknown: t('patients.unknown'),
    away: t('patients.fromDevice'),
    server: remaining > 0 ? t('patients.partOf', { time }) : t('patients.complete', { time }),
  }[source];
  return (
    <Flex
      align="center"
      justify="space-between"
      gap="3"
      ps="4"
      pe="2"
      minHeight="12"
      bg="bg.sunken"
      fontSize="sm"
      color="fg.muted"
    >
      <chakra.output display="block" py="2">
        {sentence}
      </chakra.output>
      {source === 'away' && (
        <StyledButton variant="quiet" px="2" fontSize="sm" onClick={loadMore}>
          {t('patients.again')}
        </StyledButton>
      )}
    </Flex>
  );
}

/** A treatment in one row, which opens to its services and documents. */
function Treatment({
  treatment: { id, number, status, created_at, currency, owed, services, unsent },
  onPay,
}: {
  treatment: LocalTreatment;
  onPay: () => void;
}) {
  const { t } = useTranslation();
  const { date } = useClinicFormats();
  const [open, setOpen] = useState(false);
  const detailsId = useId();
  return (
    <chakra.li borderBottomWidth="1px" borderColor="border">
      <chakra.button
        type="button"
        aria-expanded={open}
        aria-controls={detailsId}
        onClick={() => setOpen(!open)}
        display="flex"
        alignItems="center"
        gap="3"
        width="full"
        minHeight="16"
        py="2"
        textAlign="start"
        cursor="pointer"
        _focusVisible={{ outlineOffset: '-3px' }}
      >
        <chakra.span flex="1" minWidth="0">
          <Flex as="span" justify="space-between" align="baseline" gap="3">
            <chakra.span fontWeight="medium" minWidth="0" truncate={!open} overflowWrap="anywhere">
              {services.join(', ')}
            </chakra.span>
            <MoneyText minor={minorFromWire(owed)} currency={currency} fontWeight="semibold" />
          </Flex>
          <Flex as="span" wrap="wrap" justify="space-between" align="center" gap="2">
            <chakra.span fontSize="sm" color="fg.muted">
              {[date(created_at), number].join(' · ')}
            </chakra.span>
            <Flex as="span" gap="2">
              {unsent && <SentBadge unsent />}
              <Badge tone={tones[status]}>{t(`patients.status.${status}`)}</Badge>
            </Flex>
          </Flex>
        </chakra.span>
        <ChevronDown
          aria-hidden
          style={{ flexShrink: 0, rotate: open ? '180deg' : '0deg', transition: 'rotate 120ms' }}
        />
      </chakra.button>
      <chakra.div id={detailsId} hidden={!open} pb="3">
        <Suspense fallback={<Skeleton height="24" />}>{open && <TreatmentDetails id={id} onPay={onPay} />}</Suspense>
      </chakra.div>
    </chakra.li>
  );
}

function LoadingRows() {
  return (
    <Flex direction="column" gap="2" p="4">
      {[1, 2, 3].map((row) => (
        <Skeleton key={row} height="16" />
      ))}
    </Flex>
  );
}
