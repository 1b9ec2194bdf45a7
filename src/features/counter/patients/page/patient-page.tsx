import { chakra, Flex } from '@chakra-ui/react';
import { ArrowLeft, ChevronRight, ShoppingCart, UserRoundX } from 'lucide-react';
import { Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router-dom';
import type { FullPatientResource } from '#domain/patient/resources.ts';
import { PageFrame } from '#src/back-office/page-frame.tsx';
import type { OrderRow } from '#src/db/database.ts';
import { knownPatient, owedTreatments } from '#src/db/queries/patients.ts';
import { useReopened } from '#src/forms/use-reopened.ts';
import { MoneyText } from '#src/formats/money.tsx';
import { useClinicFormats } from '#src/formats/use-formats.ts';
import { db } from '#src/local-data/database.ts';
import { useLiveQuery } from '#src/local-data/live.ts';
import { pathOf } from '#src/navigation/path-of.ts';
import { useMay, useSession } from '#src/session/session.ts';
import { SentBadge } from '#src/sync/sent-badge.tsx';
import { Button } from '#src/ui/button.tsx';
import { EmptyState } from '#src/ui/empty-state.tsx';
import { Panel } from '#src/ui/panel.tsx';
import { Skeleton } from '#src/ui/skeleton.tsx';
import { StyledButton, StyledIconButton } from '#src/ui/styled.tsx';
import { currentDraft, usePlan } from '#src/features/counter/plan-store.ts';
import { toast } from '#src/ui/toaster.tsx';
import { PatientDataMenu } from '../patient-data-menu.tsx';
import { TreatmentList } from '../patient-history.tsx';
import { usePatientHistory } from '../use-patient-history.ts';
import { PatientDetailsPanel } from './patient-details-panel.tsx';
import { PatientDocuments } from './patient-documents.tsx';
import { PatientEditor, editorDraft } from './patient-editor.tsx';

/** All that the counter needs of one patient. What this device has shows without a network. */
export function PatientPage({ id, onBack }: { id: string; onBack: () => void }) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const role = useSession(({ user }) => user?.role ?? 'counter');
  const history = usePatientHistory(id);
  const here = useLiveQuery(async () => (await knownPatient(db, id)) ?? null, [id]);
  const owed = useLiveQuery(() => owedTreatments(db, id), [id]);
  const [isEditing, setEditing] = useState(false);
  useReopened(editorDraft(id), () => setEditing(true));
  const [readsDetails, mayUpdate, mayTreat, mayExport] = [
    useMay('patient.details'),
    useMay('patient.update'),
    useMay('order.create'),
    useMay('patient.export'),
  ];
  const toCounter = () => void navigate(pathOf(role, 'counter'));
  const back = (
    <StyledIconButton label={t('patients.page.back')} ms="-3" onClick={onBack}>
      <ArrowLeft />
    </StyledIconButton>
  );
  if (here === undefined || owed === undefined || (here === null && history.source === 'loading'))
    return (
      <PageFrame title={t('patients.title')} back={back}>
        <Skeleton height="16rem" />
      </PageFrame>
    );
  const named = here ?? history.patient;
  if (!named)
    return (
      <PageFrame title={t('patients.title')} back={back}>
        <EmptyState
          icon={<UserRoundX />}
          title={t(history.source === 'away' ? 'patients.page.notHere' : 'patients.page.unknown')}
        />
      </PageFrame>
    );
  const isErased = named.erased_at !== undefined;
  const details = here?.details ?? history.patient ?? undefined;
  const patient: FullPatientResource = {
    id,
    name: named.name,
    phone: named.phone,
    email: details?.email ?? '',
    notes: details?.notes ?? '',
    recipient: details?.recipient ?? null,
    ...(named.erased_at !== undefined && { erased_at: named.erased_at }),
  };
  function treat() {
    // Additions to another treatment wait.
    usePlan.setState({ editingId: null, payingId: null, mode: 'create' });
    const plan = usePlan.getState();
    const { patient: planned, customerName } = currentDraft(plan);
    // Services that were planned for somebody else stay theirs: Undo brings the plan back. Those for nobody are for this patient.
    const undo = (planned ? planned.id !== id : customerName !== '') ? plan.clearDraft() : null;
    plan.setPatient({ id, name: patient.name, phone: patient.phone, isKnown: true });
    if (undo)
      toast({
        tone: 'info',
        title: t('counter.plan.cleared'),
        text: planned?.name ?? customerName,
        action: {
          label: t('counter.plan.undo'),
          onClick: () => {
            usePlan.setState({ editingId: null });
            usePlan.getState().setPatient(undefined);
            undo();
          },
        },
      });
    toCounter();
  }
  return (
    <PageFrame
      title={isErased ? t('patients.erased') : patient.name}
      back={back}
      actions={
        <>
          {here?.unsent === 1 && <SentBadge unsent />}
          {mayExport && <PatientDataMenu patient={patient} isErased={isErased} />}
          {mayTreat && !isErased && (
            <Button variant="primary" onClick={treat}>
              <ShoppingCart />
              {t('patients.page.treat')}
            </Button>
          )}
        </>
      }
    >
      <chakra.div
        display="grid"
        gridTemplateColumns={{ base: 'minmax(0, 1fr)', xl: '22rem minmax(0, 1fr)' }}
        alignItems="start"
        gap="4"
      >
        <Flex direction="column" gap="4" minWidth="0">
          {owed.length > 0 && <Owed owed={owed} onPay={toCounter} />}
          {!isErased && (
            <PatientDetailsPanel
              patient={patient}
              readsDetails={readsDetails}
              onEdit={mayUpdate ? () => setEditing(true) : undefined}
              isComplete={here?.details !== undefined || history.source === 'server'}
            />
          )}
          {owed.length === 0 && (
            <Panel
              level={2}
              title={t('patients.page.owed')}
              action={
                <chakra.p color="fg.muted" pe="2">
                  {t('patients.page.nothingOwed')}
                </chakra.p>
              }
            />
          )}
        </Flex>
        <Flex direction="column" gap="4" minWidth="0">
          <PatientDocuments patientId={id} />
          <Panel level={2} title={t('patients.treatments')}>
            <Suspense fallback={<Skeleton height="12rem" />}>
              <TreatmentList history={history} onPay={toCounter} />
            </Suspense>
          </Panel>
        </Flex>
      </chakra.div>
      {isEditing && (
        <PatientEditor
          known={patient}
          isErased={isErased}
          onClose={() => setEditing(false)}
          onDone={() => setEditing(false)}
        />
      )}
    </PageFrame>
  );
}

const owedAtFirst = 3;

/** What the patient has to pay. Open treatments are on every tablet, so the sum is complete without a network. */
function Owed({ owed, onPay }: { owed: readonly OrderRow[]; onPay: () => void }) {
  const { t } = useTranslation();
  const mayPay = useMay('order.pay');
  const { date } = useClinicFormats();
  const [isWhole, setWhole] = useState(false);
  const sums = new Map<string, number>();
  for (const { currency, balanceMinor } of owed) sums.set(currency, (sums.get(currency) ?? 0) + balanceMinor);
  const shown = isWhole ? owed : owed.slice(0, owedAtFirst);
  return (
    <Panel level={2} title={t('patients.page.owed')}>
      <chakra.div px="4" pb="2">
        {[...sums].map(([currency, minor]) => (
          <chakra.p key={currency} fontSize="xl" fontWeight="semibold" color="due.fg" pb="1">
            <MoneyText minor={minor} currency={currency} />
          </chakra.p>
        ))}
        <chakra.ul listStyleType="none" mx="-2">
          {shown.map(({ id, number, balanceMinor, currency, createdAtMs }) => (
            <li key={id}>
              <StyledButton
                variant="quiet"
                wide
                px="2"
                justifyContent="space-between"
                fontWeight="normal"
                disabled={!mayPay}
                aria-label={t('patients.page.payNumber', { number })}
                onClick={() => {
                  usePlan.getState().openPayment(id);
                  onPay();
                }}
              >
                <chakra.span textAlign="start" lineHeight="1.35">
                  {number}
                  <chakra.span
                    display={{ base: 'block', sm: 'inline' }}
                    ms={{ base: '0', sm: '2' }}
                    fontSize="sm"
                    color="fg.muted"
                  >
                    {date(createdAtMs)}
                  </chakra.span>
                </chakra.span>
                <Flex as="span" align="center" gap="2">
                  <MoneyText minor={balanceMinor} currency={currency} />
                  {mayPay && <ChevronRight />}
                </Flex>
              </StyledButton>
            </li>
          ))}
        </chakra.ul>
        {owed.length > shown.length && (
          <StyledButton variant="quiet" wide fontSize="sm" onClick={() => setWhole(true)}>
            {t('patients.page.showOwed', { count: owed.length })}
          </StyledButton>
        )}
      </chakra.div>
    </Panel>
  );
}
